/**
 * Saturated red as photosensitive people see it (WCAG 2.2, “red flash”): a state with R/(R+G+B) of 0.8 and more, in linear
 * light, and a change of more than 0.2 in the CIE 1976 UCS chromaticity diagram to or from it.
 */

/** Linear red, green and blue, 0..1. */
export type Light = readonly [red: number, green: number, blue: number]

const SATURATED = 0.8
/** Distance in u′v′ that counts as a change of colour. */
const CHROMATICITY_STEP = 0.2
/** Below this light a colour is not seen as one. */
const DARKEST = 0.01

const isSaturatedRed = ([red, green, blue]: Light) => red >= DARKEST && red / (red + green + blue) >= SATURATED

/** Whether going from one to the other is half a red flash. */
export function isRedChange(from: Light, to: Light): boolean {
  if (!isSaturatedRed(from) && !isSaturatedRed(to)) return false
  const [a, b] = [chromaticity(from), chromaticity(to)]
  return Math.hypot(a[0] - b[0], a[1] - b[1]) > CHROMATICITY_STEP
}

/** u′v′ by CIE 15 from linear sRGB (IEC 61966-2-1); black is as white, which has no colour of its own either. */
function chromaticity([red, green, blue]: Light): [number, number] {
  const x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
  const sum = x + 15 * y + 3 * z
  return sum < DARKEST ? [0.1978, 0.4683] : [(4 * x) / sum, (9 * y) / sum]
}
