import type {
  ArchiveFacts,
  AudioFacts,
  AudioStreamFacts,
  CaptionFacts,
  DocumentContents,
  DocumentFacts,
  FontFacts,
  ImageFacts,
  MediaFacts,
  PageFacts,
  PrintFacts,
  PrintMark,
  PrintMarks,
  VastAd,
  VastCreative,
  VastFacts,
  VideoFacts,
} from '@/lib/media/facts'
import type {
  BannerFacts,
  BannerRequest,
  Loudness,
  PixelFacts,
  TrackFacts,
  VideoMeasures,
} from '@/lib/media/measurements'
import type { Subject } from './check'

/** Facts of ordinary, faultless files, from which a test departs in the one thing it is about. */

export function imageFacts(changes: Partial<ImageFacts> = {}): ImageFacts {
  return {
    kind: 'image',
    format: 'png',
    width: 300,
    height: 250,
    colourSpace: 'srgb',
    hasProfile: false,
    profileName: null,
    profileColourSpace: null,
    bitDepth: 8,
    channels: 3,
    hasAlpha: false,
    isOpaque: null,
    densityDpi: null,
    orientation: 1,
    frames: 1,
    pages: 1,
    loopCount: null,
    frameDelaysMs: [],
    durationSeconds: null,
    hasGps: false,
    hasExif: false,
    hasXmp: false,
    progressive: false,
    jpegQuality: null,
    chromaSubsampling: null,
    layers: null,
    compression: null,
    ...changes,
  }
}

function pixelFacts(changes: Partial<PixelFacts> = {}): PixelFacts {
  return {
    width: 300,
    height: 250,
    scale: 1,
    sharpness: 900,
    blockiness: 1,
    deviation: 0.2,
    transparentShare: 0,
    translucentShare: 0,
    paleEdgeShare: 0,
    perceptualHash: '9e362d257549248a',
    ...changes,
  }
}

function videoMeasures(changes: Partial<VideoMeasures> = {}): VideoMeasures {
  return {
    frames: 375,
    durationSeconds: 15,
    black: [],
    frozen: [],
    flashes: { mostPerSecond: 0, at: null },
    testBars: [],
    leader: { slates: [], countdowns: [] },
    bars: { top: 0, bottom: 0, left: 0, right: 0 },
    ...changes,
  }
}

export function trackFacts({
  loudness,
  ...changes
}: Partial<Omit<TrackFacts, 'loudness'>> & { loudness?: Partial<Loudness> } = {}): TrackFacts {
  return {
    durationSeconds: 15,
    channels: 2,
    loudness: { integrated: -23, maxMomentary: -20, maxShortTerm: -21, range: 5, truePeak: -3, curve: [], ...loudness },
    silences: [],
    clipping: { runs: 0, at: [] },
    stereo: { correlation: 0.6, opposed: [], isDualMono: false },
    ...changes,
  }
}

export function audioStream(changes: Partial<AudioStreamFacts> = {}): AudioStreamFacts {
  return {
    codec: 'aac',
    profile: 'LC',
    sampleRate: 48_000,
    channels: 2,
    channelLayout: 'stereo',
    bitDepth: null,
    durationSeconds: 15,
    bitrate: 192_000,
    sampleCount: 720_000,
    language: null,
    ...changes,
  }
}

export function videoFacts(changes: Partial<VideoFacts> = {}): VideoFacts {
  return {
    kind: 'video',
    container: 'mp4',
    width: 1920,
    height: 1080,
    displayWidth: 1920,
    displayHeight: 1080,
    codec: 'h264',
    profile: 'High',
    level: 40,
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    sampleAspectRatio: { numerator: 1, denominator: 1 },
    displayAspectRatio: { numerator: 16, denominator: 9 },
    rotation: 0,
    durationSeconds: 15,
    videoDurationSeconds: 15,
    frameCount: 375,
    frameRate: { average: 25, nominal: 25, constant: true },
    bitrate: 8_200_000,
    videoBitrate: 8_000_000,
    scanType: 'progressive',
    fieldOrder: null,
    colour: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', range: 'limited' },
    fastStart: true,
    fragmented: false,
    audio: [audioStream()],
    groups: { keyFrames: 15, open: 0, longestFrames: 25, longestSeconds: 1, isIntra: false },
    tracks: [
      { kind: 'video', codec: 'h264', packets: 375 },
      { kind: 'audio', codec: 'aac', packets: 704 },
    ],
    subtitleStreams: 0,
    dataStreams: 0,
    timecode: null,
    timecodeJumps: null,
    hasPosition: false,
    closedCaptions: null,
    captionTracks: [],
    dynamicRange: { masteringDisplay: null, contentLight: null, dolbyVision: null },
    ...changes,
  }
}

export function audioFacts(changes: Partial<AudioFacts> = {}): AudioFacts {
  return {
    kind: 'audio',
    container: 'wav',
    durationSeconds: 30,
    bitrate: 1_536_000,
    variableBitrate: null,
    audio: [audioStream({ codec: 'pcm_s16le', profile: null, bitDepth: 16, durationSeconds: 30 })],
    hasCoverArt: false,
    hasPosition: false,
    tags: { title: null, artist: null, album: null },
    ...changes,
  }
}

export function pageFacts(changes: Partial<PageFacts> = {}): PageFacts {
  return {
    widthMm: 210,
    heightMm: 297,
    rotation: 0,
    mediaBox: { xMm: 0, yMm: 0, widthMm: 210, heightMm: 297 },
    cropBox: null,
    trimBox: null,
    bleedBox: null,
    artBox: null,
    ...changes,
  }
}

/** These, and no more. */
export const marks = (...listed: PrintMark[]): PrintMarks => ({ count: listed.length, marks: listed })

export const printMark = (what: PrintMark['what'], value: number): PrintMark => ({
  page: 1,
  what,
  value,
  region: { x: 10, y: 20, width: 30, height: 4 },
})

function printFacts(changes: Partial<PrintFacts> = {}): PrintFacts {
  return {
    pages: 1,
    unread: null,
    whiteOverprints: marks(),
    blackKnockouts: marks(),
    smallestTexts: marks(),
    smallestMultiInkTexts: marks(),
    smallestReversedTexts: marks(),
    thinnestLines: marks(),
    thinnestMultiInkLines: marks(),
    smallestRichBlackTexts: marks(),
    thinnestRichBlackLines: marks(),
    registrations: marks(),
    mostInked: marks(),
    unknownInks: 0,
    hasBlends: false,
    ...changes,
  }
}

export function documentContents(changes: Partial<DocumentContents> = {}): DocumentContents {
  return {
    layers: { count: 0, hidden: [], hiddenOnPages: [] },
    annotations: { count: 0, marks: [] },
    attachments: { count: 0, names: [] },
    blendSpaces: [],
    ...changes,
  }
}

export function documentFacts(changes: Partial<DocumentFacts> = {}): DocumentFacts {
  return {
    kind: 'document',
    format: 'pdf',
    pages: 1,
    pageSizes: [pageFacts()],
    pdfVersion: '1.6',
    encrypted: false,
    hasJavaScript: false,
    hasLaunchAction: false,
    hasForms: false,
    hasXfa: false,
    hasAttachments: false,
    hasTransparency: false,
    hasOptionalContent: false,
    isTagged: false,
    isLinearized: false,
    pdfxVersion: null,
    pdfaVersion: null,
    outputIntent: null,
    fonts: [],
    images: [],
    colourSpaces: ['DeviceCMYK'],
    spotColours: [],
    print: printFacts(),
    contents: documentContents(),
    title: null,
    author: null,
    creator: null,
    producer: null,
    ...changes,
  }
}

export function archiveFacts(changes: Partial<ArchiveFacts> = {}): ArchiveFacts {
  return {
    kind: 'archive',
    format: 'zip',
    entries: [
      { path: 'index.html', size: 1200, compressedSize: 600 },
      { path: 'images/hero.jpg', size: 40_000, compressedSize: 39_800 },
    ],
    entryCount: 2,
    totalSize: 41_000,
    uncompressedSize: 41_200,
    entryPoints: ['index.html'],
    nestedArchives: 0,
    documents: [
      {
        path: 'index.html',
        text: '<!doctype html><html><head><meta name="ad.size" content="width=300,height=250"><script>var clickTag = "https://example.com";</script></head><body><a href="javascript:window.open(window.clickTag)"><img src="images/hero.jpg"></a></body></html>',
      },
    ],
    ...changes,
  }
}

/** The ad of `archiveFacts`, as it ran. */
function bannerFacts(changes: Partial<BannerFacts> = {}): BannerFacts {
  const request = { phase: 'initial', status: 'served', seconds: 0.1 } as const
  return {
    browser: 'HeadlessChrome/147.0.7727.0',
    start: 'index.html',
    frame: { width: 300, height: 250 },
    ended: 'watched',
    loadSeconds: 0.3,
    watchedSeconds: 12.5,
    requests: [
      { ...request, target: 'index.html', kind: 'Document', bytes: 1200, packedBytes: 600 },
      { ...request, target: 'images/hero.jpg', kind: 'Image', bytes: 40_000, packedBytes: 39_800 },
    ],
    moreRequests: 0,
    errors: [],
    motion: { lastChangeSeconds: 10, isMoving: false, changes: 20 },
    stage: { width: 300, height: 250, isElement: true, isEmpty: false },
    click: {
      on: 'stage',
      target: 'https://clicktag.invalid/landing',
      how: 'window',
      byClickTag: true,
      declared: 'https://example.com',
    },
    cpu: { mainThread: 0.05, process: 0.08, seconds: 10, busiest: 0.1, window: 0.8, total: 0.9 },
    violations: [],
    features: [],
    clickableShare: 1,
    reducedMotion: 'rests',
    unused: [],
    memoryBytes: 70_000_000,
    ...changes,
  }
}

export function otherFacts(changes: Partial<FontFacts> = {}): FontFacts {
  return {
    kind: 'other',
    format: 'ttf',
    family: 'Greenroom Sans',
    style: 'Regular',
    glyphs: 200,
    codePoints: 190,
    variable: false,
    embeddingRights: 'installable',
    version: null,
    ...changes,
  }
}

/** One caption of two seconds in a file of fifteen, with twelve characters on one line. */
function captionFacts(changes: Partial<CaptionFacts> = {}): CaptionFacts {
  const place = (value: number) => [{ value, start: 1, end: 3 }]
  return {
    kind: 'other',
    format: 'srt',
    profile: null,
    language: null,
    cues: 1,
    start: 1,
    end: 3,
    problems: [],
    problemCount: 0,
    shortest: place(2),
    longest: place(2),
    fastest: place(6),
    wordiest: place(90),
    widest: place(12),
    tallest: place(1),
    overlaps: [],
    smallestGaps: [],
    largestGaps: [],
    ...changes,
  }
}

/** One linear creative of fifteen seconds. */
export const vastCreative = (changes: Partial<VastCreative> = {}): VastCreative => ({
  kind: 'linear',
  universalAdIds: 1,
  duration: '00:00:15',
  durationSeconds: 15,
  hasMediaFiles: true,
  mediaFiles: [
    {
      address: 'https://cdn.example/spot.mp4',
      delivery: 'progressive',
      type: 'video/mp4',
      width: 1920,
      height: 1080,
      bitrate: 2500,
      minBitrate: null,
      maxBitrate: null,
    },
  ],
  events: ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'],
  clickThrough: 'https://www.example.com/',
  ...changes,
})

export const vastAd = (changes: Partial<VastAd> = {}): VastAd => ({
  id: 'spring',
  kind: 'inline',
  elements: ['AdSystem', 'AdServingId', 'AdTitle', 'Impression', 'Creatives'],
  creatives: [vastCreative()],
  verifications: [],
  ...changes,
})

function vastFacts(changes: Partial<VastFacts> = {}): VastFacts {
  return {
    kind: 'other',
    format: 'vast',
    version: '4.2',
    ads: [vastAd()],
    adCount: 1,
    durationSeconds: 15,
    addressCount: 9,
    insecure: [],
    insecureCount: 0,
    ...changes,
  }
}

const SAMPLE: Record<MediaFacts['kind'], { name: string; mediaType: string }> = {
  image: { name: 'hero.png', mediaType: 'image/png' },
  video: { name: 'spot.mp4', mediaType: 'video/mp4' },
  audio: { name: 'spot.wav', mediaType: 'audio/wav' },
  document: { name: 'page.pdf', mediaType: 'application/pdf' },
  archive: { name: 'banner.zip', mediaType: 'application/zip' },
  other: { name: 'sans.ttf', mediaType: 'font/ttf' },
}

/** A faultless file of the kind its facts are of. */
export function subject(media: MediaFacts, changes: Partial<Subject> = {}): Subject {
  return {
    ...SAMPLE[media.kind],
    bytes: 100_000,
    kind: media.kind,
    media,
    integrity: { violations: [], complete: true },
    measures: measuresOf(media),
    claims: {},
    expectations: { mediaTypes: [], maxFileBytes: null },
    ...changes,
  }
}

/** What is measured of a faultless file of that kind. */
function measuresOf(media: MediaFacts): Subject['measures'] {
  const codes = { codes: [] }
  switch (media.kind) {
    case 'image':
      return { pixels: pixelFacts(), codes }
    case 'document':
      return { pixels: pixelFacts(), codes, placed: { images: [], pages: media.pages } }
    case 'video':
      return { pixels: pixelFacts(), video: videoMeasures(), audio: { tracks: media.audio.map(() => trackFacts()) } }
    case 'audio':
      return { audio: { tracks: media.audio.map(() => trackFacts({ durationSeconds: media.durationSeconds })) } }
    default:
      return {}
  }
}

/** Files of each kind that depart from faultless ones in what a case is about. */

export const image = (facts: Partial<ImageFacts> = {}, changes: Partial<Subject> = {}) =>
  subject(imageFacts(facts), changes)

/** An image by what was measured of its pixels. */
export const imagePixels = (pixels: Partial<PixelFacts>, facts: Partial<ImageFacts> = {}) =>
  image(facts, { measures: { pixels: pixelFacts(pixels) } })

export const video = (facts: Partial<VideoFacts> = {}, changes: Partial<Subject> = {}) =>
  subject(videoFacts(facts), changes)

/** A video by what was measured of its frames. */
export const videoFrames = (measures: Partial<VideoMeasures> = {}, facts: Partial<VideoFacts> = {}) =>
  video(facts, { measures: { video: videoMeasures(measures), audio: { tracks: [trackFacts()] } } })

export const audio = (facts: Partial<AudioFacts> = {}) => subject(audioFacts(facts))

/** An audio file by what was measured of its only track. */
export const audioTrack = (changes: Parameters<typeof trackFacts>[0] = {}) =>
  subject(audioFacts(), { measures: { audio: { tracks: [trackFacts(changes)] } } })

export const document = (facts: Partial<DocumentFacts> = {}, print: Partial<PrintFacts> = {}) =>
  subject(documentFacts({ print: printFacts(print), ...facts }))

/** A document with these pages. */
export const documentPages = (...pages: Partial<PageFacts>[]) =>
  document({ pages: pages.length, pageSizes: pages.map((page) => pageFacts(page)) })

export const archive = (facts: Partial<ArchiveFacts> = {}) => subject(archiveFacts(facts))

/** An archive that is no ad. */
export const plainArchive = archive({ entryPoints: [], documents: [] })

/** An ad with this text as its page. */
export const html = (text: string) => archive({ documents: [{ path: 'index.html', text }] })

/** An ad by what a browser saw of it. */
export const ranAd = (changes: Partial<BannerFacts> = {}) =>
  subject(archiveFacts(), { measures: { banner: bannerFacts(changes) } })

/** An ad that nothing can run. */
export const unrunAd = subject(archiveFacts(), { measures: { banner: { failed: 'no Chromium runs on this server' } } })

export const adRequest = (target: string, changes: Partial<BannerRequest> = {}): BannerRequest => ({
  target,
  phase: 'initial',
  status: 'served',
  kind: 'Image',
  bytes: 1000,
  packedBytes: 1000,
  seconds: 0.2,
  ...changes,
})

/** An ad that asks for these while it runs. */
export const askingAd = (...requests: BannerRequest[]) => ranAd({ requests })

export const captions = (facts: Partial<CaptionFacts> = {}, changes: Partial<Subject> = {}) =>
  subject(captionFacts(facts), { name: 'spot.srt', mediaType: 'application/x-subrip', ...changes })

export const vastTag = (facts: Partial<VastFacts> = {}, changes: Partial<Subject> = {}) =>
  subject(vastFacts(facts), { name: 'tag.xml', mediaType: 'application/vast+xml', ...changes })

/** A tag by its only creative. */
export const vastLinear = (changes: Partial<VastCreative>) =>
  vastTag({ ads: [vastAd({ creatives: [vastCreative(changes)] })] })
