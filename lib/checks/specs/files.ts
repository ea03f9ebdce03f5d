import type { Expectations } from '../check'

/**
 * A file whose fault is known because it was made with it, by other tools than the engine measures with: bytes and
 * samples computed here, encoders of other libraries. What is good and bad follows from the standard or the threshold
 * that the check names, never from what the engine said.
 */
export type SpecFile = Label & { isFaulty: boolean }

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
  /** The smallest file that shows a mistake the engine once made: evaluated by every run of the tests. */
  onceWrong?: boolean
}

type Options = Omit<Label, 'name' | 'write'>

export const good = (name: string, write: Label['write'], options: Options = {}): SpecFile => ({
  name,
  write,
  ...options,
  isFaulty: false,
})

export const bad = (name: string, write: Label['write'], options: Options = {}): SpecFile => ({
  ...good(name, write, options),
  isFaulty: true,
})

/** For series of files that differ in one number. */
export const label = (isFaulty: boolean) => (isFaulty ? bad : good)

/** Files with these options, but for what one of them says otherwise. */
export const sharing = (options: Options, files: readonly SpecFile[]): SpecFile[] =>
  files.map((file) => ({ ...options, ...file }))
