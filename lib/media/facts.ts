/**
 * What the inspector measured in one file. Plain JSON: it crosses a process boundary and is stored with the file.
 *
 * A fact that a format cannot state is `null` (never a guess); a fact that was not searched for is absent.
 * Units are part of the name; pixels, channels and counts need none.
 */

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'archive' | 'other'

export type MediaFacts = ImageFacts | VideoFacts | AudioFacts | DocumentFacts | ArchiveFacts | OtherFacts

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'psd' | 'svg' | 'avif' | 'heic' | 'eps'

/** RGB spaces that are known by their primaries. */
export type ProfileGamut = 'srgb' | 'display-p3' | 'adobe-rgb'

/** Whether something holds; `why`: where it does not, or was not looked at, as a sentence without a full stop. */
export type Verdict = { state: 'holds' | 'broken' | 'unverified'; why: string | null }

/** The manifest of a file (C2PA, Content Credentials): the one that is active. */
export type ManifestFacts = {
  /** What wrote it, as it says. */
  generator: string | null
  /** The bytes of the file are those that were hashed. */
  binding: Verdict
  /**
   * The claim was signed by the key of the certificate beside it, whose trust was not checked, and
   * the assertions it names are those that are there.
   */
  signature: Verdict
  /** Organisation or name in that certificate. */
  signer: string | null
  /**
   * How long that certificate is valid, as dates, whether a time stamp says when it was used, and whether it had expired when
   * the file was measured. Absent in what earlier engines measured.
   */
  certificate?: { from: string; until: string; isStamped: boolean; isExpired: boolean } | null
  /**
   * The certificate of the signer and those of its issuers that lie in the manifest, each having signed the one before;
   * `fingerprint`: SHA-256, hexadecimal. Absent before engine 2.13.
   */
  chain?: { fingerprint: string; name: string | null }[]
}

export type ProvenanceFacts = {
  manifest: ManifestFacts | null
  /** IPTC Digital Source Type, e.g. `trainedAlgorithmicMedia`, and where it is stated. */
  sourceTypes: { value: string; from: 'manifest' | 'xmp' }[]
  /** Where XMP says that the manifest of the file lies (`dcterms:provenance`); absent before engine 2.21. */
  reference?: string | null
  /** What XMP says was done to it (`xmpMM:History`), the first 100 steps; absent before engine 2.21. */
  history?: HistoryStep[]
}

/** `action` as XMP names it, e.g. `created` or `saved`; `when` as it states it, mostly ISO 8601. */
export type HistoryStep = { action: string | null; tool: string | null; when: string | null }

export type ImageFacts = {
  kind: 'image'
  format: ImageFormat
  /** Pixels as stored, before `orientation` is applied. For SVG and EPS: the nominal size in CSS pixels or points. */
  width: number
  height: number
  /** `srgb`, `rgb` (no statement which), `cmyk`, `grey`, `lab`, `indexed`, `duotone`, `multichannel`, `bitmap`. */
  colourSpace: string | null
  hasProfile: boolean
  /** The `desc` tag of the embedded ICC profile, e.g. `sRGB IEC61966-2.1`. */
  profileName: string | null
  /** The data colour space of the embedded ICC profile: `RGB`, `CMYK`, `GRAY`, `Lab`. */
  profileColourSpace: string | null
  /** The known space whose primaries and curve the profile has, whatever it is called. Absent in what engines before 2.2 measured. */
  profileGamut?: ProfileGamut | null
  /** Bits per channel (a palette image: bits per index). */
  bitDepth: number | null
  channels: number | null
  hasAlpha: boolean
  /** True when there is an alpha channel and no pixel uses it. */
  isOpaque: boolean | null
  /** Pixels per inch as the file states it; null when it states none. */
  densityDpi: number | null
  /** Half a step of the file's own unit, where that is a metric one: 300 dpi is no whole number of dots per centimetre. */
  densityRoundingDpi?: number
  /** EXIF orientation 1..8; 1 when absent. */
  orientation: number
  /** Frames of an animation; 1 for a still image. Pages of a TIFF are counted in `pages`. */
  frames: number
  pages: number
  /** Times the animation plays; 0 = for ever; null for a still image. */
  loopCount: number | null
  frameDelaysMs: number[]
  /** One pass through the animation; null for a still image. */
  durationSeconds: number | null
  hasGps: boolean
  hasExif: boolean
  hasXmp: boolean
  progressive: boolean
  /** Estimated from the luminance quantisation table on the IJG scale 1..100; JPEG only. */
  jpegQuality: number | null
  /** The table is exactly that of the IJG library at this quality. Absent where it is another, and before engine 2.17. */
  isIjgTable?: true
  /** `4:4:4`, `4:2:2`, `4:2:0`, `4:1:1`, `4:4:0`, `4:0:0`; JPEG, AVIF and HEIC. */
  chromaSubsampling: string | null
  /** Visible layers of a PSD. */
  layers: number | null
  compression: string | null
  /** Absent where files of the type are not searched, and before engine 2.9. */
  provenance?: ProvenanceFacts
}

export type Ratio = { numerator: number; denominator: number }

export type VideoFacts = {
  kind: 'video'
  /** `mp4`, `mov`, `webm`, `matroska`, `ogg`, `mxf`. */
  container: string
  /** Pixels as coded, before `rotation` and the sample aspect ratio are applied. */
  width: number
  height: number
  /** Pixels as seen: rotation and sample aspect ratio applied. */
  displayWidth: number
  displayHeight: number
  codec: string
  profile: string | null
  level: number | null
  pixelFormat: string | null
  bitDepth: number | null
  sampleAspectRatio: Ratio
  displayAspectRatio: Ratio
  /** Clockwise degrees to turn the image for display: 0, 90, 180 or 270. */
  rotation: number
  durationSeconds: number
  videoDurationSeconds: number
  /** Frames that came out of the decoder; packets counted when `complete` is false. */
  frameCount: number
  frameRate: { average: number; nominal: number | null; constant: boolean }
  /** Whole file, bits per second. */
  bitrate: number
  videoBitrate: number | null
  scanType: 'progressive' | 'interlaced' | 'unknown'
  fieldOrder: 'tff' | 'bff' | null
  colour: {
    primaries: string | null
    transfer: string | null
    matrix: string | null
    range: 'limited' | 'full' | null
  }
  /** The index lies before the media data (MP4, MOV: `moov` before `mdat`; Matroska: cues before clusters). */
  fastStart: boolean
  fragmented: boolean
  audio: AudioStreamFacts[]
  subtitleStreams: number
  dataStreams: number
  /** Start timecode as `hh:mm:ss:ff`, when the file carries one. */
  timecode: string | null
  /** Null where the file states it once only, from which all others count. Absent before engine 2.15. */
  timecodeJumps?: TimecodeJumps | null
  /** The container's metadata say where it was filmed. Absent in what engines before 2.7 measured. */
  hasPosition?: boolean
  /** In the video stream itself; null without any, absent where not every frame was decoded, and before engine 2.8. */
  closedCaptions?: ClosedCaptions | null
  /** Codings of the tracks of captions and subtitles, in the order of the file: `mov_text`, `eia_608`. Absent before engine 2.8. */
  captionTracks?: string[]
  /** What the stream or the container states of high dynamic range. Absent before engine 2.8. */
  dynamicRange?: DynamicRange
  /** Null where no frame is coded by itself. Absent before engine 2.13, as is the next. */
  groups?: FrameGroups | null
  /** Every track, in the order of the file. */
  tracks?: TrackStatement[]
  /** Absent where files of the type are not searched, and before engine 2.9. */
  provenance?: ProvenanceFacts
  /** Of an MXF file: `OP1a` to `OP3c`, `OP-Atom`; null where it states none of them. Absent before engine 2.10. */
  operationalPattern?: string | null
}

/** Where timecode does not run on. */
export type TimecodeJumps = {
  count: number
  /** At most 20, with what the timecode before says that comes. Seconds from the start. */
  first: { seconds: number; found: string; expected: string }[]
}

/** Groups of frames from one key frame to the next. */
export type FrameGroups = {
  keyFrames: number
  /** Groups whose first frames are shown before their key frame, and need the group before. The first group counts as closed. */
  open: number
  longestFrames: number
  longestSeconds: number
  /** Every frame is coded by itself. */
  isIntra: boolean
}

export type TrackStatement = {
  kind: 'video' | 'audio' | 'subtitle' | 'data' | 'cover'
  /** By FFmpeg's name; of data the four letters of the container: `tmcd`, `gpmd`. */
  codec: string
  packets: number
}

/** What the caption data of a video stream say; padding left out. Seconds from its start. */
export type ClosedCaptions = {
  /** Characters in the first and the second field (CEA-608: CC1 and CC2, CC3 and CC4). */
  cea608: [number, number]
  /** Characters of the services of CEA-708 that say something. */
  cea708: { service: number; bytes: number }[]
  /** The first and last frame that brings a character; null where none does. */
  from: number | null
  until: number | null
}

export type DynamicRange = {
  /** SMPTE ST 2086: luminance of the mastering display, cd/m². */
  masteringDisplay: { minNits: number; maxNits: number } | null
  /** CTA-861.3, cd/m². */
  contentLight: { maxCll: number; maxFall: number } | null
  dolbyVision: { profile: number; level: number } | null
}

export type AudioStreamFacts = {
  codec: string
  profile: string | null
  sampleRate: number
  channels: number
  channelLayout: string | null
  /** Bits per sample for lossless codings; null where the coding has none. */
  bitDepth: number | null
  durationSeconds: number
  bitrate: number | null
  /** Samples per channel that came out of the decoder. */
  sampleCount: number
  language: string | null
}

export type AudioFacts = {
  kind: 'audio'
  /** `wav`, `mp3`, `flac`, `aiff`, `adts`, `mp4`, `ogg`. */
  container: string
  durationSeconds: number
  bitrate: number
  /** Bit rate changes from frame to frame (MP3); null where it has no meaning. */
  variableBitrate: boolean | null
  /** The streams of audio; at least one. */
  audio: AudioStreamFacts[]
  hasCoverArt: boolean
  /** The container's metadata say where it was recorded. Absent in what engines before 2.7 measured. */
  hasPosition?: boolean
  tags: { title: string | null; artist: string | null; album: string | null }
  /** Absent where files of the type are not searched, and before engine 2.9. */
  provenance?: ProvenanceFacts
}

/** A page box in millimetres from the lower left corner of the page's user space. */
export type PageBox = { xMm: number; yMm: number; widthMm: number; heightMm: number }

export type PageFacts = {
  /** The page as seen: crop box with rotation applied. */
  widthMm: number
  heightMm: number
  rotation: number
  mediaBox: PageBox
  /** Null when the page (or a page tree node above it) does not state the box. */
  cropBox: PageBox | null
  trimBox: PageBox | null
  bleedBox: PageBox | null
  artBox: PageBox | null
}

export type DocumentFont = { name: string; type: string; embedded: boolean; subset: boolean }

/** An image drawn in a PDF, by object. */
export type DocumentImage = {
  width: number
  height: number
  bitsPerComponent: number | null
  colourSpace: string | null
}

/** Something that a page paints. Millimetres from the upper left corner of the page as it is seen. */
export type PrintMark = {
  /** From 1. */
  page: number
  what: 'text' | 'line' | 'area' | 'image'
  /** What it stands out by, in the unit of its list. */
  value: number
  /** Inks it is printed in, where that is what it stands out by. */
  inks?: number
  /** A rectangle of ink reaches all around it. Absent where a bounding box alone says what it stands on. */
  isSurelyOn?: true
  region: { x: number; y: number; width: number; height: number }
}

/** The most extreme: at most 100, and 10 of a page; and how many there are in all. */
export type PrintMarks = { count: number; marks: PrintMark[] }

/**
 * What a print house asks of what the pages paint, by its colours as they are declared. Forms are followed wherever they
 * are placed; layers that are switched off, tiles of patterns and glyphs of Type 3 are not.
 */
export type PrintFacts = {
  /** Pages that were followed. */
  pages: number
  /** Why some of it was not, as a sentence without a full stop; null: all was followed. */
  unread: string | null
  /** White that is set to overprint. `value`: 1 where it vanishes by the standard, 0 where that hangs on the press. */
  whiteOverprints: PrintMarks
  /** Black text on ink that knocks it out. Points. */
  blackKnockouts: PrintMarks
  /** Text by its size, points as printed; of more than one ink; white on ink. */
  smallestTexts: PrintMarks
  smallestMultiInkTexts: PrintMarks
  smallestReversedTexts: PrintMarks
  /** Strokes and filled rectangles as thin as strokes, points as printed; of more than one ink. */
  thinnestLines: PrintMarks
  thinnestMultiInkLines: PrintMarks
  /**
   * Text and lines in black with other inks below it, as above. Absent before engine 2.14, as is what is painted in the colour
   * of registration marks within the trim, or without one stated 25 mm and more within the page.
   */
  smallestRichBlackTexts?: PrintMarks
  thinnestRichBlackLines?: PrintMarks
  registrations?: PrintMarks
  /**
   * What has the most ink, by the sum of all inks it declares, percent: areas and text whose box has 15 mm² and more, and
   * images by what at least 15 mm² of them reach.
   */
  mostInked: PrintMarks
  /** Areas, shadings and images whose inks take a conversion, or that were not looked at. */
  unknownInks: number
  /** Something is painted in a mode that adds to what lies below (Multiply, Darken …). */
  hasBlends: boolean
}

export type AnnotationMark = {
  /** From 1. */
  page: number
  /** `Text`, `Widget`, `Link` … as the file says it. */
  kind: string
  /** It has an appearance, and is printed with the page. */
  prints: boolean
  /** It reaches into the bleed box, without one into the trim or art box or the page. */
  isInside: boolean
  /** Millimetres from the upper left corner of the page; null on a page that is turned. */
  region: { x: number; y: number; width: number; height: number } | null
}

/** What lies in a document beside what its pages show. */
export type DocumentContents = {
  /** `hidden`: names of the first 20 that are switched off; pages on which they hide something, at most 100. */
  layers: { count: number; hidden: string[]; hiddenOnPages: number[] }
  /** The first 100; marks of print houses are none. */
  annotations: { count: number; marks: AnnotationMark[] }
  /** Names of the first 20. */
  attachments: { count: number; names: string[] }
  /** Colour spaces that groups of pages and drawings state to be blended in. */
  blendSpaces: string[]
}

export type DocumentFacts = {
  kind: 'document'
  format: 'pdf'
  pages: number
  /** At most the first 2,000 pages. */
  pageSizes: PageFacts[]
  /** `1.4` ... `2.0`; the catalogue's statement wins over the header's. */
  pdfVersion: string
  encrypted: boolean
  hasJavaScript: boolean
  hasLaunchAction: boolean
  hasForms: boolean
  hasXfa: boolean
  hasAttachments: boolean
  hasTransparency: boolean
  hasOptionalContent: boolean
  isTagged: boolean
  isLinearized: boolean
  /** `PDF/X-4`, `PDF/X-1a:2003` ... as the file states it. */
  pdfxVersion: string | null
  /** `PDF/A-2b` ... as the file states it. */
  pdfaVersion: string | null
  outputIntent: string | null
  fonts: DocumentFont[]
  images: DocumentImage[]
  /** Device and named colour spaces in use, e.g. `DeviceCMYK`, `ICCBased RGB`. */
  colourSpaces: string[]
  spotColours: string[]
  /** Absent before engine 2.9, as is the next. */
  print?: PrintFacts
  contents?: DocumentContents
  title: string | null
  author: string | null
  creator: string | null
  producer: string | null
  /** Absent where files of the type are not searched, and before engine 2.9. */
  provenance?: ProvenanceFacts
}

export type ArchiveEntry = { path: string; size: number; compressedSize: number }

export type ArchiveFacts = {
  kind: 'archive'
  format: 'zip'
  /** At most the first 5,000 files, directories left out. */
  entries: ArchiveEntry[]
  entryCount: number
  /** Bytes of the archive. */
  totalSize: number
  /** Bytes that really came out of it. */
  uncompressedSize: number
  /** HTML files of the top folder: where an HTML5 ad may start. */
  entryPoints: string[]
  nestedArchives: number
  /** The text of the first entry points, cut at 200,000 characters: what the checks of an HTML5 ad read. */
  documents: { path: string; text: string }[]
  /** Of a package in the Interoperable Master Format. Absent in what engines before 2.10 measured. */
  imf?: ImfFacts | null
}

/** `frames`: edit units of the composition. */
export type ImfComposition = { title: string; editRate: [number, number]; frames: number }

/** A package of SMPTE ST 2067: what its asset map, packing lists and composition playlists say, and whether it holds. */
export type ImfFacts = {
  /** Files that packing lists name. */
  assets: number
  compositions: ImfComposition[]
  /**
   * Ids of track files that compositions play and that neither the asset map nor a packing list names: the package is
   * supplemental, and needs the one that has them. At most the first 100. Absent in what earlier engines measured, as faults.
   */
  elsewhere?: string[]
  elsewhereCount?: number
  /** Track files (MXF) whose essence was gone through. Absent before engine 2.13. */
  trackFiles?: number
  /** At most the first 100, each a sentence and the standard it rests on. */
  faults: { text: string; clause: string }[]
  faultCount: number
}

export type OtherFacts = FontFacts | CaptionFacts | VastFacts

export type FontFacts = {
  kind: 'other'
  /** Of a collection the rest describes its first font. */
  format: 'ttf' | 'otf' | 'woff' | 'woff2' | 'collection' | 'unknown'
  family: string | null
  style: string | null
  glyphs: number | null
  /** Unicode code points the font maps. */
  codePoints: number | null
  variable: boolean
  /** OS/2 fsType: the embedding permissions of the font. */
  embeddingRights: 'installable' | 'editable' | 'preview-and-print' | 'restricted' | null
  version: string | null
}

export type CaptionFormat = 'srt' | 'webvtt' | 'ttml' | 'ebu-stl'

/** One caption, or the place between two, and by what it stands out. Seconds from the start of the programme. */
export type CaptionPlace = { value: number; start: number; end: number }

/** Captions or subtitles in a file of their own. Of each list at most the first 100, the most extreme first. */
export type CaptionFacts = {
  kind: 'other'
  format: CaptionFormat
  /** Which kind of TTML it says to be: `IMSC 1.1 Text`, `EBU-TT-D`; display standard of an EBU STL. */
  profile: string | null
  language: string | null
  /** Captions, those without text (images) included. */
  cues: number
  /** First start and last end; null without captions. */
  start: number | null
  end: number | null
  /** Where the file departs from the rules of its format, in the order of the file. */
  problems: { line: number | null; what: string }[]
  problemCount: number
  /** Seconds a caption stands. */
  shortest: CaptionPlace[]
  longest: CaptionPlace[]
  /** Characters a second, as they are shown: spaces count, markup does not. */
  fastest: CaptionPlace[]
  /** Words a minute, of captions of three words and more. */
  wordiest: CaptionPlace[]
  /** Characters of the longest line. */
  widest: CaptionPlace[]
  /** Lines shown at once at one place of the screen. */
  tallest: CaptionPlace[]
  /** Seconds two captions share one place of the screen, without beginning and ending together. */
  overlaps: CaptionPlace[]
  /** Seconds from the end of one caption to the next at the same place, where they do not touch. */
  smallestGaps: CaptionPlace[]
  /** Seconds in which no caption stands between the first and the last. */
  largestGaps: CaptionPlace[]
}

export const VAST_VERSIONS = ['2.0', '2.0.1', '3.0', '4.0', '4.1', '4.2', '4.3'] as const
export type VastVersion = (typeof VAST_VERSIONS)[number]

/** A tag of the Video Ad Serving Template (IAB Tech Lab). Of lists at most the first 100 are kept. */
export type VastFacts = {
  kind: 'other'
  format: 'vast'
  version: VastVersion
  ads: VastAd[]
  adCount: number
  /** Of its first linear creative; null where none states a length. */
  durationSeconds: number | null
  /** Addresses in elements that hold one, outside of extensions. */
  addressCount: number
  /** Addresses that are not `https:`, in the order of the file. */
  insecure: { element: string; address: string }[]
  insecureCount: number
}

export type VastAd = {
  id: string | null
  /** `none`: it has neither. */
  kind: 'inline' | 'wrapper' | 'none'
  /** Its elements that are not empty, each name once. */
  elements: string[]
  creatives: VastCreative[]
  /** Vendors of measurement. */
  verifications: string[]
}

export type VastCreative = {
  /** `none`: it has none of the three. */
  kind: 'linear' | 'nonlinear' | 'companion' | 'none'
  universalAdIds: number
  /** As written; null without one. */
  duration: string | null
  /** Null without one that can be read. */
  durationSeconds: number | null
  hasMediaFiles: boolean
  mediaFiles: VastMediaFile[]
  /** Names of events, each once. */
  events: string[]
  clickThrough: string | null
}

export type VastMediaFile = {
  address: string
  /** As written; null where the attribute is missing. */
  delivery: string | null
  type: string | null
  width: number | null
  height: number | null
  /** kbit/s; of a stream that adapts itself its least and its greatest. */
  bitrate: number | null
  minBitrate: number | null
  maxBitrate: number | null
}
