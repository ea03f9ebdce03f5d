import type { z } from 'zod'
import type { MediaFacts, MediaKind } from '@/lib/media/facts'
import type { Box, Failure, MeasureName, Measures, SharedFrames } from '@/lib/media/measurements'
import type { PreQcDepth } from '@/lib/vocabulary'

/**
 * The shape of a check: one small file each, a pure function from facts to a finding. It reads no file, no clock and
 * no network; its caller measured the file before. Two checks never share an id.
 */

declare module 'zod' {
  interface GlobalMeta {
    /** Unit of a threshold: `px`, `s`, `kbit/s`. Absent for counts, words and yes/no. */
    unit?: string
    /** Where the default comes from: a standard and its clause, or `Reasoned:` and the reason. */
    source?: string
  }
}

export function isFailure(value: object): value is Failure {
  return 'failed' in value
}

/** What the inspector said of the bytes. */
export type IntegrityReport = {
  violations: { code: string; message: string }[]
  /** False when the packets were walked to the end but not all of them were decoded. */
  complete: boolean
}

/** What the file's name promises; a claim that the name does not make is absent. */
export type NameClaims = {
  width?: number
  height?: number
  durationSeconds?: number
  framesPerSecond?: number
  ratio?: { width: number; height: number }
}

/** Names for the next version of a file. */
export type NextNames = {
  /** Says what was measured: for the same file, where its name alone is wrong. */
  asMeasured: string
  /** Says what the present name says: for a file that was made anew. */
  asClaimed: string
}

/** Another file of the project that looks like this one. */
export type Neighbour = {
  fileId: string
  name: string
  /** Differing bits of 64; of videos on the average of the frames they share. */
  distance: number
  /** Of videos. */
  video?: Omit<SharedFrames, 'distance'> & { isOtherSize: boolean }
}

/** What the file is checked against besides the thresholds: the media category's own limits, and what its batch says. */
export type Expectations = {
  /** Empty: every type the service knows. */
  mediaTypes: readonly string[]
  maxFileBytes: number | null
  /** Phrases the file has to show; absent: none. */
  requiredCopy?: readonly string[]
}

/** One file as the engine sees it. */
export type Subject = {
  name: string
  bytes: number
  /** By content, never the client's word. */
  mediaType: string
  kind: MediaKind
  media: MediaFacts | Failure
  integrity: IntegrityReport | Failure
  /** Absent: full. Of a quick measurement what needs every frame or sample was left out on purpose. */
  depth?: PreQcDepth
  measures: { [M in MeasureName]?: Measures[M] | Failure }
  claims: NameClaims
  /** Under which name a next version is taken; absent where that is unknown. */
  nextNames?: NextNames
  /** Absent: not measured. */
  neighbours?: Neighbour[]
  expectations: Expectations
}

/** What a check that reads the facts of kinds `K` and the measures `N` is given. */
export type Reading<K extends MediaKind, N extends MeasureName = never> = Omit<
  Subject,
  'kind' | 'media' | 'measures'
> & {
  kind: K
  media: Extract<MediaFacts, { kind: K }>
  /** What else could be measured is there, too. */
  measures: Pick<Measures, N> & Partial<Measures>
}

export type Occurrence = {
  /** Seconds from the start. */
  start?: number
  end?: number
  /** From 1. */
  page?: number
  /** Pixels as people see them (turned, square), or millimetres on a page, from the upper left corner. */
  region?: { x: number; y: number; width: number; height: number }
  stream?: number
}
/** An image that shows what a check found. */
export type EvidenceWanted = { checkId: string } & (
  | { draw: 'image'; regions: Box[] }
  /** Frames at these seconds, side by side; without any the one that shows what the video is. */
  | { draw: 'frames'; times: number[]; regions: Box[] }
  /** `size`: the page as seen, millimetres. */
  | { draw: 'page'; page: number; size: { width: number; height: number }; regions: Box[]; trim: Box[]; bleed: Box[] }
  /** Short-term loudness of every second, LUFS. */
  | {
      draw: 'curve'
      seconds: number
      curve: (number | null)[]
      target: number | null
      spans: { start: number; end: number }[]
    }
)

export type Quantity = number | string | boolean

export type Finding = {
  status: 'pass' | 'warning' | 'fail' | 'skipped'
  /** 1 for what is measured exactly; below 1 by the formula the check states in `confidence`. */
  confidence: number
  /** One sentence with what was measured and what was wanted. */
  details: string
  measured?: Quantity
  expected?: Quantity
  unit?: string
  /** Standard and clause the wanted value comes from. */
  standard?: string
  /** A recipe for this very file: an export setting, or a command with its values in it. */
  fix?: string
  occurrences?: Occurrence[]
}

type CheckBase<T extends z.ZodObject> = {
  /** Ends in `_check`; stored and sent as it stands. */
  id: `${string}_check`
  label: string
  kinds: readonly MediaKind[]
  /** What it measures and why, for the settings screen and the documentation. */
  describe: string
  /** What a violation does unless the media category says otherwise. */
  severity: 'blocking' | 'advisory'
  /** False: runs only where a media category turns it on. */
  enabledByDefault: boolean
  /** How `confidence` is computed. */
  confidence: string
  /** Every field has a default and says its unit and source in `.meta()`. Keys are stored and sent: snake_case. */
  thresholds: T
}

/** A check that asks for nothing but that the file is there: it runs even when the facts could not be read. */
export type FileCheck<T extends z.ZodObject = z.ZodObject> = CheckBase<T> & {
  reads: 'file'
  run(subject: Subject, thresholds: z.output<T>): Finding | Failure
}

/** A check over the facts of some kinds of media, and the measures it names. */
export type MediaCheck<
  K extends MediaKind = MediaKind,
  T extends z.ZodObject = z.ZodObject,
  N extends MeasureName = never,
> = CheckBase<T> & {
  reads: 'media'
  kinds: readonly K[]
  needs: readonly MeasureName[]
  /** Why there is nothing to evaluate in this file, or null: asked before the measures are, which such a file may lack. */
  notFor?(media: Extract<MediaFacts, { kind: K }>, expectations: Expectations): string | null
  run(reading: Reading<K, N>, thresholds: z.output<T>): Finding | Failure
}

export type Check = FileCheck | MediaCheck

type Defaults = 'enabledByDefault' | 'confidence'
const DEFAULTS = { enabledByDefault: true, confidence: '1: measured exactly.' } as const

/** Says a check that reads the file as a whole. */
export function fileCheck<T extends z.ZodObject>(
  check: Omit<FileCheck<T>, 'reads' | Defaults> & Partial<Pick<FileCheck<T>, Defaults>>,
): FileCheck<T> {
  return { ...DEFAULTS, ...check, reads: 'file' }
}

/** Says a check that reads the facts of the kinds it names, and the measures in `needs`. */
export function mediaCheck<K extends MediaKind, T extends z.ZodObject, N extends MeasureName = never>(
  check: Omit<MediaCheck<K, T, N>, 'reads' | 'needs' | Defaults> &
    Partial<Pick<MediaCheck<K, T, N>, Defaults>> & { needs?: readonly N[] },
): MediaCheck<K, T, N> {
  return { ...DEFAULTS, needs: [], ...check, reads: 'media' }
}

type Extras = Omit<Partial<Finding>, 'status' | 'details'>

export function pass(details: string, extras: Extras = {}): Finding {
  return { confidence: 1, ...extras, status: 'pass', details }
}

/** A violation that is never more than a warning, whatever the severity. */
export function warn(details: string, extras: Extras = {}): Finding {
  return { confidence: 1, ...extras, status: 'warning', details }
}

/** A violation; the media category's severity decides whether it shows as `fail` or `warning`. */
export function fail(details: string, extras: Extras = {}): Finding {
  return { confidence: 1, ...extras, status: 'fail', details }
}

/** Nothing was evaluated, and why: no threshold is set, or this file has nothing of the kind. */
export function skip(details: string): Finding {
  return { status: 'skipped', confidence: 0, details }
}
