/** Sizes as they are typed in a form: in GB (10^9 bytes); empty: none. */

export const gigabytesOf = (bytes: number | null): string => (bytes === null ? '' : String(bytes / 1e9))

export const bytesOf = (gigabytes: string): number | null =>
  gigabytes.trim() === '' ? null : Math.round(Number(gigabytes) * 1e9)

/** For a field: true, or what is wrong with it. */
export const isGigabytes = (text: string): true | string => {
  const bytes = bytesOf(text)
  return (
    bytes === null ||
    (Number.isSafeInteger(bytes) && bytes >= 1) ||
    `“${text}” is no size. Give a number of GB above 0, such as 0.5 or 200, or nothing.`
  )
}
