import type { Expectations } from '@/lib/checks/check'

/**
 * A file whose fault is known because it was made with it, by other tools than the engine measures with: bytes and
 * samples computed here, encoders of other libraries. What is good and bad follows from the standard or the threshold
 * that the check names, never from what the engine said.
 */
export type Labelled = Label & { check: string; isFaulty: boolean }

type Label = {
  /** As it is uploaded; within a check no two are alike. */
  name: string
  write: (file: string) => void | Promise<void>
  thresholds?: Record<string, unknown>
  /** The template its name is read by; without one the name claims nothing. */
  template?: string
  /** The media type of its content, where its extension says another. */
  content?: string
  /** What the media category takes. */
  expects?: Partial<Expectations>
  /** An ad that is run in a browser. */
  runs?: boolean
  /** Another file of the same project, which has the same type. */
  beside?: (file: string) => void | Promise<void>
}

type Options = Omit<Label, 'name' | 'write'>
type Made = Label & { isFaulty: boolean }

export const good = (name: string, write: Label['write'], options: Options = {}): Made => ({
  name,
  write,
  ...options,
  isFaulty: false,
})

export const bad = (name: string, write: Label['write'], options: Options = {}): Made => ({
  ...good(name, write, options),
  isFaulty: true,
})

/** The files of one check; `options` hold for each that does not say otherwise. */
export function filesOf(check: string, made: Made[], options: Options = {}): Labelled[] {
  return made.map((each) => ({ ...options, ...each, check }))
}
