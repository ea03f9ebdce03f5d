import type { PdfDocument } from './pdf-document'
import { PdfName, type PdfValue } from './pdf-syntax'

/** A colour space as far as it says which inks are printed (ISO 32000-1, 8.6). */
export type Space =
  | { kind: 'grey' | 'cmyk'; isDevice: boolean }
  | { kind: 'rgb' }
  | { kind: 'other' }
  /** Separation and DeviceN. */
  | { kind: 'inks'; names: readonly string[] }

export const GREY: Space = { kind: 'grey', isDevice: true }
export const RGB: Space = { kind: 'rgb' }
export const CMYK: Space = { kind: 'cmyk', isDevice: true }
export const OTHER: Space = { kind: 'other' }

export type InkColour = { space: Space; values: readonly number[] }
export const BLACK_INK: InkColour = { space: GREY, values: [0] }

/** Shares of each ink, 0..1. */
export type Inks = { cyan: number; magenta: number; yellow: number; black: number; spots: number[] }

const PROCESS: Readonly<Record<string, 'cyan' | 'magenta' | 'yellow' | 'black'>> = {
  Cyan: 'cyan',
  Magenta: 'magenta',
  Yellow: 'yellow',
  Black: 'black',
}

/** What a colour prints; null where that takes a conversion (RGB, Lab, patterns, an index). */
export function inksOf({ space, values }: InkColour): Inks | null {
  const none = { cyan: 0, magenta: 0, yellow: 0, black: 0, spots: [] }
  const [a = 0, b = 0, c = 0, d = 0] = values
  if (space.kind === 'grey') return { ...none, black: 1 - a }
  if (space.kind === 'cmyk') return { ...none, cyan: a, magenta: b, yellow: c, black: d }
  if (space.kind !== 'inks') return null
  const inks: Inks = { ...none, spots: [] }
  for (const [index, name] of space.names.entries()) {
    const value = values[index] ?? 1
    const process = PROCESS[name]
    if (process) inks[process] = value
    else if (name === 'All') Object.assign(inks, { cyan: value, magenta: value, yellow: value, black: value })
    else if (name !== 'None') inks.spots.push(value)
  }
  return inks
}

/** Less than this of an ink is none: rounding of what was converted. */
const TRACE = 0.005

const sharesOf = ({ cyan, magenta, yellow, black, spots }: Inks) => [cyan, magenta, yellow, black, ...spots]

/** How many inks are printed. */
export const inkCount = (inks: Inks): number => sharesOf(inks).filter((share) => share > TRACE).length

/** The sum of all inks, 0..4 and more. */
export const inkTotal = (inks: Inks): number =>
  sharesOf(inks).reduce((sum, share) => sum + Math.max(0, Math.min(1, share)), 0)

export const isBlank = (inks: Inks): boolean => inkCount(inks) === 0

export const isPureBlack = (inks: Inks): boolean => inks.black > 1 - TRACE && inkCount(inks) === 1

/** Nearly full black with other inks below it, of which all together make a tenth and more. */
export const isRichBlack = ({ black, cyan, magenta, yellow, spots }: Inks): boolean =>
  black >= 0.85 && spots.reduce((sum, share) => sum + share, cyan + magenta + yellow) >= 0.1

/** The colour of registration marks, which prints on every plate (8.6.6.4). */
export const isRegistration = ({ space, values }: InkColour): boolean =>
  space.kind === 'inks' && space.names.some((name, index) => name === 'All' && (values[index] ?? 1) > TRACE)

/** What `cs` sets before a value is given (8.6.8): nothing printed counts as white, so black or full ink. */
export function initialValues(space: Space): readonly number[] {
  if (space.kind === 'cmyk') return [0, 0, 0, 1]
  if (space.kind === 'inks') return space.names.map(() => 1)
  return [0, 0, 0]
}

export async function readSpace(document: PdfDocument, value: PdfValue): Promise<Space> {
  const found = await document.resolve(value)
  if (found instanceof PdfName) return DEVICES[found.name] ?? OTHER
  if (!Array.isArray(found)) return OTHER
  const family = (await document.name(found[0])) ?? ''
  if (family === 'ICCBased') {
    const components = await document.number((await document.dictionary(found[1]))?.get('N'))
    if (components === 1) return { kind: 'grey', isDevice: false }
    return components === 4 ? { kind: 'cmyk', isDevice: false } : RGB
  }
  if (family === 'CalGray') return { kind: 'grey', isDevice: false }
  if (family === 'CalRGB') return RGB
  if (family !== 'Separation' && family !== 'DeviceN') return found.length === 1 ? (DEVICES[family] ?? OTHER) : OTHER
  const listed = family === 'Separation' ? [found[1] ?? null] : ((await document.array(found[1])) ?? [])
  const names: string[] = []
  for (const each of listed) names.push((await document.name(each)) ?? '')
  return { kind: 'inks', names }
}

const DEVICES: Readonly<Record<string, Space>> = {
  DeviceGray: GREY,
  G: GREY,
  DeviceRGB: RGB,
  RGB,
  DeviceCMYK: CMYK,
  CMYK,
}
