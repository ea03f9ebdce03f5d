import { AV_PICTURE_TYPE_I } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { type PlaceChosen, shareOf } from '../decode/decode-done'
import { FrameSampler, withLuma } from '../decode/frame-sampler'
import type { StreamReport } from '../decode/stream-report'
import { REPRESENTATIVE_DEVIATION, REPRESENTATIVE_PLACES, rotationOf, stretchOf, toRaster } from '../decode/video'
import { AudioMeter } from '../measure/audio-meter'
import { KeyFrameCollector, type Shown } from '../measure/key-frames'
import { LeaderMeter } from '../measure/leader'
import { LevelScreen } from '../measure/level-screen'
import { LevelMeter, type Matrix } from '../measure/levels'
import { measurePixels } from '../measure/pixels'
import { RepeatMeter } from '../measure/repeats'
import { TestBarsMeter } from '../measure/test-bars'
import { VideoMeter, type VideoPoints } from '../measure/video-meter'
import type { MediaMeasures, PixelFacts } from '../measurements'
import { floatSamples } from '../previews/waveform'

/** More are not measured. */
export const MOST_TRACKS = 8
const LEVELS_EVERY_SECONDS = 1
/** A short video has few seconds. */
const LEVELS_AT_FIRST_SECONDS = 0.25

/**
 * Measures a file with video or audio while it is decoded for its integrity: every frame is decoded once, for
 * all checks together. A measure that fails is a reason and stops no other measure.
 */
export class MediaMeter {
  private video: VideoMeter | null = null
  private readonly levels = new LevelMeter()
  private readonly levelScreen = new LevelScreen()
  private matrix: Matrix = 'bt709'
  private readonly testBars = new TestBarsMeter()
  private readonly leader = new LeaderMeter()
  private readonly repeats = new RepeatMeter()
  private nextLevels = 0
  private hasLevels = true
  private readonly sampler = new FrameSampler()
  private readonly keyFrames = new KeyFrameCollector()
  private shown: Shown = { aspect: 1, rotation: 0 }
  private videoStream: StreamReport | null = null
  private firstTime: number | null = null
  private representative: PixelFacts | null = null
  private placesInspected = 0
  private readonly chosen: PlaceChosen[] = []
  private lastBefore: number | null = null
  private readonly audioMeters = new Map<StreamReport, AudioMeter>()
  private readonly failures: { video?: string; audio?: string } = {}

  /** `sketchy`: of some frames only, which say what a video shows and nothing of its course. */
  constructor(private readonly sketchy = false) {}

  take(report: StreamReport, frame: Frame): void {
    if (report.isCover) return
    const which = report.kind === 'video' ? 'video' : 'audio'
    if (this.failures[which] !== undefined) return
    try {
      if (which === 'video') this.takeFrame(report, frame)
      else this.takeSamples(report, frame)
    } catch (error) {
      this.failures[which] = error instanceof Error ? error.message : String(error)
    }
  }

  finish(): MediaMeasures {
    this.sampler.free()
    const frames = this.video?.finish()
    const bars = this.testBars.finish()
    const levels = this.levels.finish()
    const video = frames && {
      ...frames,
      leader: this.leader.finish(bars, frames.durationSeconds),
      repeats: this.repeats.finish(),
      ...(this.hasLevels && { levels: levels && { ...levels, ofEveryFrame: true as const }, testBars: bars }),
    }
    // In the order of the file, whichever gave its first sample first.
    const tracks = [...this.audioMeters].sort(([a], [b]) => a.index - b.index).map(([, meter]) => meter.finish())
    for (const silence of video ? tracks.flatMap((track) => track.silences) : []) {
      const dark = (video?.black ?? []).reduce(
        (sum, { start, end }) => sum + Math.max(0, Math.min(end, silence.end) - Math.max(start, silence.start)),
        0,
      )
      silence.duringBlack = dark >= 0.8 * (silence.end - silence.start)
    }
    const { failures } = this
    return {
      ...(failures.video ? { video: failed('frames', failures.video) } : video && { video }),
      ...(this.representative && { pixels: this.representative }),
      ...(this.videoStream && !failures.video && { keyFrames: this.keyFrames.finish(this.shown) }),
      ...(failures.audio ? { audio: failed('audio', failures.audio) } : tracks.length > 0 && { audio: { tracks } }),
    }
  }

  /** By which frames of the video it was found out what it shows. */
  places(): PlaceChosen[] {
    const open = this.nextPlace()
    return open === undefined || this.lastBefore === null
      ? this.chosen
      : [...this.chosen, { place: open, before: this.lastBefore, at: null }]
  }

  private takeFrame(report: StreamReport, frame: Frame): void {
    this.videoStream ??= report
    if (this.videoStream !== report) return
    const time = Number(frame.bestEffortTimestamp) * report.tick
    this.firstTime ??= time
    const since = time - this.firstTime
    const isWanted = this.keyFrames.wants(since)
    const points = !this.sketchy || isWanted ? this.sampler.points(frame) : null
    if (points && isWanted) {
      this.keyFrames.take(points, since)
      const aspect = (frame.width * stretchOf(report.stream)) / frame.height
      this.shown = { aspect, rotation: rotationOf(report.stream) }
    }
    if (points && !this.sketchy) {
      this.video ??= new VideoMeter()
      this.video.take(
        points,
        since,
        (inspect) => withLuma(frame, inspect),
        () => this.sampler.lines(frame),
        frame.pictType === AV_PICTURE_TYPE_I,
      )
      this.repeats.take(points.luma, since)
      this.takeLevels(frame, points, since)
      this.leader.take(points.luma, since, () => this.sampler.lines(frame), this.testBars.areUp(since))
    }
    try {
      this.findRepresentative(report, frame, time)
    } catch {
      // Without it the file is read once more, and then it is reported why that does not work.
      this.placesInspected = REPRESENTATIVE_PLACES.length
    }
  }

  /** Now and then, and where more lies beyond black or white. Colours that cannot be read leave the other measures as they are. */
  private takeLevels(frame: Frame, points: VideoPoints, since: number): void {
    const isDue = since >= this.nextLevels
    if (!this.hasLevels || (!isDue && !this.levelScreen.isFarther(points, this.matrix))) return
    try {
      const colours = this.sampler.colours(frame)
      const at = Math.round(since * 1000) / 1000
      this.levels.take(colours, at)
      if (!isDue) return
      this.matrix = colours.matrix
      this.levelScreen.isFarther(points, this.matrix)
      const every = since < LEVELS_EVERY_SECONDS ? LEVELS_AT_FIRST_SECONDS : LEVELS_EVERY_SECONDS
      this.nextLevels = since + every
      this.testBars.take(colours, at, at + every)
    } catch {
      this.hasLevels = false
    }
  }

  /** The frame that shows what the video is: the first of a few places that is not nearly blank, or the first of all. */
  private findRepresentative(report: StreamReport, frame: Frame, time: number): void {
    const place = this.nextPlace()
    if (place === undefined) return
    if (shareOf(time, report) < place) {
      this.lastBefore = time
      return
    }
    this.placesInspected += 1
    this.chosen.push({ place, before: this.lastBefore, at: time })
    this.lastBefore = null
    const seen = measurePixels(toRaster(frame, report.stream))
    if (!this.representative || seen.deviation >= REPRESENTATIVE_DEVIATION) this.representative = seen
  }

  /** Undefined once a frame was found. */
  private nextPlace(): number | undefined {
    if (this.representative && this.representative.deviation >= REPRESENTATIVE_DEVIATION) return undefined
    return REPRESENTATIVE_PLACES[this.placesInspected]
  }

  private takeSamples(report: StreamReport, frame: Frame): void {
    let meter = this.audioMeters.get(report)
    if (!meter) {
      if (this.audioMeters.size >= MOST_TRACKS) return
      meter = new AudioMeter(frame.sampleRate, frame.channels)
      this.audioMeters.set(report, meter)
    }
    meter.take(floatSamples(frame))
  }
}

const failed = (what: string, why: string) => ({ failed: `its ${what} could not be measured (${why.slice(0, 200)})` })
