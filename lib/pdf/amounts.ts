/** Decimals as text, written for people. Nothing here computes. */

/** `-1234567.5` as `-1,234,567.50` when at least two digits after the point are wanted. */
export function writeDecimal(value: string, leastDigits = 0): string {
  const { sign, whole, fraction } = parts(value)
  const digits = fraction.replace(/0+$/, '').padEnd(leastDigits, '0')
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${digits === '' ? '' : `.${digits}`}`
}

/** How many digits stand after the point. */
export const fractionDigits = (written: string): number => written.split('.')[1]?.length ?? 0

function parts(value: string) {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (!found) throw new TypeError(`"${value}" is not a plain decimal such as "-1234.50".`)
  return { sign: found[1] ?? '', whole: found[2] ?? '', fraction: found[3] ?? '' }
}
