/** Disagreements whose reason is known; docs/truth.md says more of each. */
const EXPLAINED: readonly { what: RegExp; file: RegExp; why: string }[] = []

export const whyOf = (file: string, what: string): string | null =>
  EXPLAINED.find((each) => each.what.test(what) && each.file.test(file))?.why ?? null
