/** Codes of agencies and campaigns as they stand on their records. */

type CodeList = { lowerCase: ReadonlySet<string>; longest: number }
const codeLists = new WeakMap<readonly string[], CodeList>()

/** A list of codes is asked many times for one name, and may be long. */
function readCodes(codes: readonly string[]): CodeList {
  const known = codeLists.get(codes)
  if (known) return known
  const longest = codes.reduce((length, code) => Math.max(length, Array.from(code).length), 0)
  const list = { lowerCase: new Set(codes.map((code) => code.toLowerCase())), longest }
  codeLists.set(codes, list)
  return list
}

const MAX_CODE_LENGTH = 64
/** Characters of the longest code that can be meant. */
export const longestCode = (codes: readonly string[]) =>
  codes.length === 0 ? MAX_CODE_LENGTH : readCodes(codes).longest

/** Is it one of the codes, in any case? While none are known: does it look like a code? */
export function isKnownCode(text: string, codes: readonly string[]): boolean {
  return codes.length === 0 ? isCode(text) : readCodes(codes).lowerCase.has(text.toLowerCase())
}

/** Letters, digits and hyphens. */
export const isCode = (text: string) => /^[A-Za-z0-9-]{1,64}$/.test(text)
