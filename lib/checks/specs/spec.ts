import type { z } from 'zod'
import type { Check, Occurrence, Subject } from '../check'

/** What a check decides, shown by files of which facts and measurements are written down. */
export type Spec<Threshold extends string = string> = {
  check: Check
  /** Files that pass. */
  good: readonly Case<Threshold>[]
  /** Files with a fault: `fail`, unless the case says that it is never more than a warning. */
  bad: readonly (Case<Threshold> & { says?: 'fail' | 'warning' })[]
  /** Files that have nothing to evaluate, or for which nothing is set. */
  skipped?: readonly Case<Threshold>[]
  /** Files for which the check could not run. */
  error?: readonly Case<Threshold>[]
}

/** One file, the settings that hold for it, and what the check says of it besides its status. */
type Case<Threshold extends string = string> = {
  /** What the file is; within a check no two are alike. */
  name: string
  given: Subject
  thresholds?: { [name in Threshold]?: unknown }
  /** What the sentence must hold: the measured and the wanted value. */
  details?: string | RegExp
  fix?: string | RegExp
  /** How sure the check is. */
  confidence?: number
  /** Where the fault is. */
  occurrences?: Occurrence[]
}

/** Ties cases to their check: a threshold that it does not have does not compile. */
export function specOf<T extends z.ZodObject>(
  check: Check & { thresholds: T },
  cases: Omit<Spec<Extract<keyof z.input<T>, string>>, 'check'>,
): Spec {
  return { check, ...cases }
}
