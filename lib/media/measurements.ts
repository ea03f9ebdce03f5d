/**
 * What is measured in a file beyond its facts: plain JSON, stored with the result of a file, so that other thresholds can be
 * tried on it later. Units are part of the name. Checks read these types; `measure/`, `ocr/` and `ads/` fill them.
 */

/** Why something could not be measured, as a sentence without a full stop. */
export type Failure = {
  failed: string
  /** It may be the machine's fault and not the file's: worth another try when the machine is quieter. */
  again?: true
}

/** From the upper left corner: pixels of the image as people see it (turned, square), or millimetres of the page. */
export type Box = { x: number; y: number; width: number; height: number }

export type PixelFacts = {
  /** The image as seen, pixels. */
  width: number
  height: number
  scale: number
  /**
   * Variance of the Laplacian (4-neighbour kernel, 8-bit luma) in the sharpest tenth of the 32 px tiles that show
   * anything, of at most 320 that lie evenly over the image. Null when no tile does.
   */
  sharpness: number | null
  /**
   * The same relative to the contrast of a tile, squared, where much of the image is plain and contours are hard: lettering
   * and drawings. Null of photos; absent in what engines before 2.7 measured.
   */
  contourSharpness?: number | null
  /**
   * As `sharpness`, in the softest tenth of those tiles: of grain and noise, which lie over all of an image, both are alike.
   * Absent in what engines before 2.17 measured.
   */
  grain?: number | null
  /** Steps across the 8 px coding grid relative to the steps beside it, 30,000 at most; 1 = no grid. Null when reduced or too small. */
  blockiness: number | null
  /**
   * How evenly steps of 12 to 64 grey levels between neighbouring pixels lie over places that come again every 2 to 7 pixels:
   * their number at the emptiest place, relative to the mean, in the more even direction. 1: evenly, as in what was drawn or
   * photographed; 0: columns and rows repeat the ones before, as where an image was enlarged without smoothing. Null where
   * there are fewer than 400 such steps, or the image was reduced; absent in what engines before 2.23 measured.
   */
  stepEvenness?: number | null
  /** Largest standard deviation of any channel, alpha included, 0..1 of full scale; colour counts where it shows. Without alpha of 80,000 pixels. */
  deviation: number
  /** Share of pixels that are fully transparent, 0..1. */
  transparentShare: number
  /** Share of pixels that are at least partly transparent, 0..1. */
  translucentShare: number
  /** Share of the outermost ring of pixels that would vanish on a white page, 0..1. */
  paleEdgeShare: number
  /** 64-bit difference hash, 16 hexadecimal digits. Null when the image is too flat for it to mean anything. */
  perceptualHash: string | null
}

/** A QR code or barcode in an image. Pixels of the image as seen. */
type FoundCode = {
  /** `QRCode`, `EAN13` ... */
  format: string
  text: string
  region: { x: number; y: number; width: number; height: number }
}

export type CodeFacts = { codes: FoundCode[] }

/** Seconds from the first frame; `end` is where the next frame begins. */
export type Span = { start: number; end: number }

export type Flashes = {
  mostPerSecond: number
  at: Span | null
  /** The longest stretch with two flashes and more in every second of it. Absent in what engines before 2.7 measured. */
  longest?: Span | null
}

/**
 * Pairs of frames by what their lines show: two fields, the top or the bottom one first; one moment each; nothing, as
 * where nothing moves.
 */
export type FieldCounts = { top: number; bottom: number; progressive: number; undecided: number }

export type VideoMeasures = {
  frames: number
  durationSeconds: number
  /** Stretches whose every frame is black: 98 % of the points within 10 % of the black level. */
  black: Span[]
  /** Stretches of at least half a second, not black, whose frames do not differ from their first. */
  frozen: Span[]
  /** Most general flashes (pairs of opposing changes) within any second, and where that second lies. */
  flashes: Flashes
  /** The same for changes to or from a saturated red. Absent in what engines before 2.1 measured, as is the next. */
  redFlashes?: Flashes
  /** Stretches in which regular stripes fill a quarter of the screen or more, searched for twice a second. */
  stripes?: Span[]
  /**
   * Frames in which edges between blocks are seen, of two a second, in the order of time: of more than 500 those with most.
   * Absent in what engines before 2.20 measured.
   */
  blocks?: BlockEdges[]
  /** By pairs of frames from all over the video. Absent in what engines before 2.7 measured. */
  fields?: FieldCounts
  /** Four times in the first second, then once a second, of frames averaged to 192 × 108 points. Absent in what engines before 2.13 measured. */
  levels?: VideoLevels | null
  /** Stretches with colour bars, looked for once a second. Absent in what engines before 2.13 measured. */
  testBars?: Span[]
  /** What stands before the programme, of the first three minutes. Absent in what engines before 2.16 measured. */
  leader?: Leader
  /** Frames that repeat the one before while the image moves. Absent in what engines before 2.13 measured. */
  repeats?: Repeats
  /** Rows and columns that stay black from the first frame to the last, in pixels as coded; null: all is black. */
  bars: { top: number; bottom: number; left: number; right: number } | null
}

/** Of all edges between blocks of 8 × 8, percent, in the frame at so many seconds. */
export type BlockEdges = { at: number; percent: number }

/** Slates, with the lines of text that they show, and countdowns, each with black before the programme. */
export type Leader = { slates: (Span & { lines: number })[]; countdowns: Span[] }

/** `every`: nearly all come at this distance, frames; `stray`: those that do not, the first at these seconds. */
export type Repeats = { count: number; every: number | null; stray: number; at: number[] }

/**
 * The highest and lowest level of R, G and B (and with them of Y) that more than 1 % of a frame reaches, percent of the range
 * from black to white. `spread`: half of what lies between the levels that ½ % and 2 % of the frame reach, percent; absent
 * before engine 2.16. `ofEveryFrame`: each frame was searched for levels beyond black and white; absent before engine 2.18, when
 * some were measured. Of PQ also the light of the brightest of R, G and B: of the brightest points, and on the average of a frame.
 */
export type VideoLevels = {
  high: { percent: number; at: number; spread?: number }
  low: { percent: number; at: number; spread?: number }
  ofEveryFrame?: true
  light?: { peak: { nits: number; at: number }; average: { nits: number; at: number } }
}

/**
 * What a video looks like over time, small enough to find it again: two difference hashes of a frame, taken
 * twice a second. Pure arithmetic on the points that a video is measured in anyway.
 */

/** A frame that shows something else than the one before it. Hashes have 64 bits, 16 hexadecimal digits. */
export type KeyFrame = {
  /** Seconds from the first frame. */
  at: number
  /** Of the image without black bars at its edges: the same in every size, also where it was squeezed or padded. */
  whole: string
  /** Of its middle, as narrow as an upright phone: what a crop to another format leaves. Null where that is too plain. */
  middle: string | null
}

export type KeyFrames = { frames: KeyFrame[] }

/** What two videos show alike, key frame by key frame. */
export type SharedFrames = {
  /** Key frames of the one that have their like in the other, in the same order. */
  shared: number
  /** Key frames of the video that has fewer of them. */
  of: number
  /** Differing bits of 64, on the average of these key frames. */
  distance: number
}

/**
 * Loudness and true peak by ITU-R BS.1770-5, loudness range by EBU Tech 3342. Fed with samples as they are decoded;
 * keeps one energy per tenth of a second.
 */

export type Loudness = {
  /** LUFS, gated; null when nothing is louder than the absolute gate, or the audio is shorter than 0.4 s. */
  integrated: number | null
  /** LUFS over 0.4 s and 3 s; null as above. */
  maxMomentary: number | null
  maxShortTerm: number | null
  /** LU; null below three seconds. */
  range: number | null
  /** dBTP; null in digital silence. */
  truePeak: number | null
  /** Short-term loudness of every second, LUFS, at most an hour: the curve to be drawn. */
  curve: (number | null)[]
}

/** Where somebody speaks, found by how speech is built, and how loud it is there. */
export type Dialogue = {
  /** LUFS over the blocks of 0.4 s in which somebody speaks, above -70 LUFS; null where nobody does. */
  loudness: number | null
  /** Of the whole track, 0..1. */
  share: number
  /** How likely what was decided of its stretches is, on the average: 0.5 to 1. */
  certainty: number
  at: Span[]
}

/** A sine that stands; its level is that of its peaks, dBFS. */
export type Tone = Span & { hertz: number; levelDb: number }

/** A short stretch in which samples stand still between loud ones, and the channels on which they do, from 1. */
export type Gap = Span & { channels: number[] }

/** Hum of mains of so many hertz: its level, dBFS (root mean square), is that of its lines up to the fourth harmonic. */
export type Hum = Span & { mains: 50 | 60; levelDb: number }

/** Of one channel over the whole: dBFS (root mean square), and the mean of its frequencies by energy; null in digital silence. */
export type ChannelContent = { levelDb: number | null; meanHertz: number | null }

/** What one pass over the samples of an audio track measures. */
export type TrackFacts = {
  durationSeconds: number
  channels: number
  loudness: Loudness
  /** Absent in what engines before 2.22 measured. */
  dialogue?: Dialogue
  /**
   * Stretches of at least half a second in which no channel exceeds -60 dBFS. `duringBlack`: the image is black for
   * nearly all of it, so that both are one event.
   */
  silences: (Span & { duringBlack: boolean })[]
  /** Runs of three and more samples at full scale, and where the first of them lie (joined within a tenth of a second). */
  clipping: {
    runs: number
    at: Span[]
    /**
     * The same below full scale, at the level where most of them lie: audio that was clipped and then made quieter. Null
     * without any; absent in what engines before 2.7 measured. `isHighest`: no sample lies beyond that level; absent
     * before engine 2.16.
     */
    below?: { runs: number; levelDb: number; isHighest?: boolean; at: Span[] } | null
  }
  /** Of a stereo track: correlation of its channels over the whole, -1..1, and stretches of a second against each other. */
  stereo: {
    correlation: number | null
    opposed: Span[]
    isDualMono: boolean
    /** Mean levels over the whole, dBFS; null in digital silence. Absent in what engines before 2.8 measured, as is the next. */
    leftDb?: number | null
    rightDb?: number | null
    /** Energy of the difference of the channels relative to that of both, dB; null where they are the same. */
    differenceDb?: number | null
  } | null
  /** Steady sines of a second and more in the first channel. Absent in what engines before 2.13 measured. */
  tones?: Tone[]
  /** At most 0.15 s each. Absent in what engines before 2.14 measured, as is the next. */
  gaps?: Gap[]
  /** Up to three samples that fit to neither side, and where the first of them lie (joined within a tenth of a second). */
  clicks?: { count: number; at: Span[] }
  /** Stretches of five seconds and more on any channel. Absent in what engines before 2.14 measured. */
  hums?: (Hum & { channel: number })[]
  /** Of 5.1 and 7.1, channel by channel. Absent in what engines before 2.14 measured. */
  contents?: ChannelContent[]
  /** Bits of a sample that are ever used, of 24; null in digital silence. Absent in what engines before 2.8 measured. */
  usedBits?: number | null
}

/** The audio tracks, in the order of the file. */
type AudioMeasures = { tracks: TrackFacts[] }

/** A second whose channels are more opposed than this cancels itself out in mono. */
export const OPPOSED = -0.3

/** An image as it is placed on a page. Millimetres from the upper left corner of the page as stored. */
export type PlacedImage = {
  /** From 1. */
  page: number
  width: number
  height: number
  /** The lower of both directions. */
  dpi: number
  region: { x: number; y: number; width: number; height: number }
}

/** One edge of the trim: where ink lies along it, and how far that goes on outwards, up to the bleed box. */
export type EdgeFacts = {
  /** Share of the edge that bears ink, 0..1. */
  inkShare: number
  /** Millimetres which nearly all of that ink reaches; null without ink. */
  reachMm: number | null
}

/** Of a page that states a trim and a bleed box, not turned. */
export type PageEdges = { page: number } & Record<'left' | 'right' | 'top' | 'bottom', EdgeFacts>

export type PlacedFacts = {
  images: PlacedImage[]
  /** Pages inspected: at most the first hundred. */
  pages: number
  /** Of the first twenty pages. Absent in what engines before 2.7 measured. */
  edges?: PageEdges[] | Failure
}

/** A word as it was read. */
export type ReadWord = {
  text: string
  /** 0..1, the reader's own. */
  confidence: number
  /** Pixels of the image as seen, or millimetres of the page. */
  region: Box
  /**
   * From its lowest to its highest ink, in the direction it stands in, unit of the region. Absent in text layers, and in
   * what engines before 2.16 measured.
   */
  height?: number
}

/** What was read at one place, in the order in which people read it. */
export type TextReading = {
  /** `layer`: the text a PDF states; `recognised`: read from the image. */
  how: 'layer' | 'recognised'
  /** From 1. */
  page?: number
  /** Seconds into the video. */
  time?: number
  words: ReadWord[]
}

/** What was read of a file, as far as it bears on the copy that was searched for. */
export type TextFacts = {
  /** For each phrase the readings that are most like it; where there are no phrases or no words, none. */
  readings: TextReading[]
  /** Of the models that read images; empty where a text layer said it all. */
  languages: string[]
  /** Words of the most fruitful reading of each place, and how sure the reader was of them; null without any. */
  words: number
  confidence: number | null
  /** Pages of a document or frames of a video that were read, of how many; 1 of 1 for an image. */
  places: {
    read: number
    of: number
    /** Seconds of a video between two of them, where they are farthest apart. Absent before engine 2.17. */
    apartSeconds?: number
  }
  /** False: the time was up before every way of reading had been tried. */
  isComplete: boolean
  /** No word was read, and all that was drawn is of one colour. Absent elsewhere, and before engine 2.16. */
  isBlank?: boolean
}

/** What a browser saw of an HTML5 ad that ran in it, without a network and without anybody touching it until the end. */
export type BannerFacts = {
  /** `HeadlessChrome/147.0.7727.0` */
  browser: string
  /** The page it started from, as a path in the archive. */
  start: string
  /** The frame it was given, CSS pixels. */
  frame: { width: number; height: number }
  /** How it ended: by itself, or by what it did to its page. `left`: it replaced itself by another page. */
  ended: 'watched' | 'blocked' | 'crashed' | 'memory' | 'left'
  /** From the navigation to the load event; null when that did not come while it was waited for. */
  loadSeconds: number | null
  /** How long it was inspected after the load event. */
  watchedSeconds: number
  requests: BannerRequest[]
  /** Requests beyond those listed. */
  moreRequests: number
  /** Errors in the console and uncaught exceptions, each once. */
  errors: { text: string; count: number; uncaught: boolean }[]
  /** Null when the page did not live long enough to be inspected. */
  motion: Motion | null
  /** Null when the page did not live long enough. */
  stage: Stage | null
  /** Null when nothing could be clicked any more. */
  click: Click | null
  /** Share of one processor core that its main thread and its whole process took while it moved, 0 to 1 and more. */
  cpu: {
    mainThread: number | null
    process: number | null
    seconds: number
    /** Of the main thread in the busiest four seconds after the load event, whether it moved or not. Absent before engine 2.7. */
    busiest?: number
    /** Seconds its main thread computed in the busiest half minute, its load included. Absent before engine 2.9. */
    window?: number
    /** Seconds its main thread computed from the navigation to the end. Absent before engine 2.9. */
    total?: number
  } | null
  /** What an ad should do only when it is asked to, or never. */
  violations: { what: AdViolation; detail: string; seconds: number }[]
  /** What it uses of the browser that ads should leave alone, by how often. Absent before engine 2.9. */
  features?: { what: AdFeature; times: number }[]
  /** Share of the stage that answers a click, 0 to 1. Absent where that was not measured, and before engine 2.9. */
  clickableShare?: number
  /** Share of the stage that is a link or a button. Absent as above, and before engine 2.18. */
  linkedShare?: number
  /**
   * For people who ask for less motion: `unasked`, as no file of the ad asks whether they do; else whether it moves all the
   * same. Absent where it never moves or was not watched, and before engine 2.9.
   */
  reducedMotion?: 'unasked' | 'moves' | 'rests'
  /**
   * How often its image changed while it was watched for that, after its first second: with the wish, of which two are counted
   * at most, and in the same time without. Absent where it was not watched for it, and before engine 2.18.
   */
  lessMotion?: { changes: number; without: number }
  /**
   * In a frame of another site that offers SafeFrame: `unasked`, as no file mentions what is around the ad; else what goes
   * wrong there and not by itself. Absent where it was not watched, and before engine 2.17.
   */
  inFrame?: 'unasked' | FrameFault[]
  /** Files of the archive that nothing asked for and no file of text mentions. */
  unused: { path: string; bytes: number }[]
  /** The most memory the browser took, bytes. */
  memoryBytes: number
}

/** `detail`: what a browser said, an address, or what was asked for. */
export type FrameFault = { what: (typeof FRAME_FAULTS)[number]; detail: string }
export const FRAME_FAULTS = [
  /** Reaches into the page around it, and ends the script by it. */
  'reaches_out',
  /** Navigates the page around it, unasked. */
  'leaves_page',
  /** A script ends, by another error that it does not meet by itself. */
  'breaks',
  /** A script ends where there is no SafeFrame, and not where there is. */
  'needs_safeframe',
  /** Calls SafeFrame before `register`. */
  'unregistered',
  /** Expands without a click; beyond the room `geom` states; by pushing, where `supports` says no. */
  'expands_unasked',
  'expands_too_far',
  'expands_by_pushing',
] as const

export type AdViolation = 'dialog' | 'popup' | 'redirect' | 'download' | 'sound'

export const AD_FEATURES = [
  'document_write',
  'eval',
  'cookies',
  'local_storage',
  'session_storage',
  'indexed_db',
  'geolocation',
] as const
export type AdFeature = (typeof AD_FEATURES)[number]

export type BannerRequest = {
  /** Of the archive: the path in it. Of another server: the address. */
  target: string
  /** `initial`: until the load event; `later`: after it, by itself; `click`: after a click. */
  phase: 'initial' | 'later' | 'click'
  /** `missing`: the archive has no such file. `outside`: another server, which was not asked. `supplied`: the ad server's own library, by a stub. */
  status: 'served' | 'missing' | 'outside' | 'supplied'
  /** `Script`, `Image`, ... as Chromium says it. */
  kind: string
  bytes: number
  /** As a server that compresses sends it: what it takes in the archive. */
  packedBytes: number
  seconds: number
}

export type Motion = {
  /** Seconds after the load event at which the image last changed; 0 when it never did. */
  lastChangeSeconds: number
  /** It was still changing at the last measurement. */
  isMoving: boolean
  /** Images that differ from the one before. */
  changes: number
  /** Rounds of its longest CSS animation; null: without end; absent: it has none. */
  rounds?: number | null
  /** How often an element most came back, by script, to a state that it had left. Absent where none did, and before engine 2.7. */
  scriptRounds?: number
  /** To how many states it came back so often. Absent where none did, and before engine 2.16, as is the next. */
  scriptSteps?: number
  /** When a timer, a frame or an animation was last planned or running, or the image last changed. */
  plannedUntilSeconds?: number
}

export type Stage = {
  width: number
  height: number
  /** One element fills it from the upper left corner; else it is what all elements cover together. */
  isElement: boolean
  isEmpty: boolean
}

export type Click = {
  /** What was clicked: the middle of the stage, or the element that asks for it. */
  on: 'stage' | 'element'
  /** Where it went; null: nowhere. */
  target: string | null
  how: 'window' | 'page' | 'exit' | null
  /** The target was the one that the click tag was given. */
  byClickTag: boolean
  /** The click tag as the ad defines it; null: it defines none. */
  declared: string | null
}

/** What was measured besides the facts of the container, by name: a check says in `needs` which it reads. */
export type Measures = {
  pixels: PixelFacts
  video: VideoMeasures
  keyFrames: KeyFrames
  audio: AudioMeasures
  placed: PlacedFacts
  codes: CodeFacts
  banner: BannerFacts
  /** Only where the batch requires copy. */
  text: TextFacts
}
export type MeasureName = keyof Measures

/** What is measured of video and audio during the decode that validates them. */
export type MediaMeasures = { [M in 'video' | 'audio' | 'pixels' | 'keyFrames']?: Measures[M] | Failure }
