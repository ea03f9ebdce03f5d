import { BLACK_INK, CMYK, GREY, type InkColour, initialValues, OTHER, RGB, type Space } from './pdf-inks'
import { type Corners, IDENTITY, type Matrix } from './pdf-operations'
import { PdfName, type PdfValue } from './pdf-syntax'

/** The parameters of the graphics state that are followed (8.4), those of text among them (9.3). */
export type GraphicsState = {
  matrix: Matrix
  clip: Corners
  /** All of `clip` is left; otherwise it is the box around what is. */
  isClipFull: boolean
  fill: InkColour
  stroke: InkColour
  lineWidth: number
  overprintsFill: boolean
  overprintsStroke: boolean
  overprintMode: number
  fillAlpha: number
  strokeAlpha: number
  addsUp: boolean
  font: Font | null
  fontSize: number
  widthScale: number
  letterSpace: number
  wordSpace: number
  leading: number
  rise: number
  textMode: number
}

export type Font = { bytesOfCode: 1 | 2; widthOf: (code: number) => number; isDrawn: boolean }

export const initialState = (clip: Corners): GraphicsState => ({
  matrix: IDENTITY,
  clip,
  isClipFull: true,
  fill: BLACK_INK,
  stroke: BLACK_INK,
  lineWidth: 1,
  overprintsFill: false,
  overprintsStroke: false,
  overprintMode: 0,
  fillAlpha: 1,
  strokeAlpha: 1,
  addsUp: false,
  font: null,
  fontSize: 0,
  widthScale: 1,
  letterSpace: 0,
  wordSpace: 0,
  leading: 0,
  rise: 0,
  textMode: 0,
})

/** Modes of blending whose result is never darker than what is blended. */
export const KEEPS_TOTAL: ReadonlySet<string> = new Set(['Normal', 'Compatible', 'Screen', 'Lighten'])

/**
 * Whether what is painted with overprint leaves the inks below that its colour has none of (table 149): the named inks of
 * Separation and DeviceN alone are painted; of CMYK those that are not 0, in mode 1 and where it was given as such.
 */
export const keepsBackdrop = (space: Space, mode: number): boolean =>
  space.kind === 'inks' || (space.kind === 'cmyk' && space.isDevice && mode === 1)

export const isWhiteRgb = ({ space, values }: InkColour) =>
  space.kind === 'rgb' && values.every((value) => value > 0.995)

const SETS: Readonly<Record<string, { space: Space; isStroke: boolean }>> = {
  g: { space: GREY, isStroke: false },
  G: { space: GREY, isStroke: true },
  rg: { space: RGB, isStroke: false },
  RG: { space: RGB, isStroke: true },
  k: { space: CMYK, isStroke: false },
  K: { space: CMYK, isStroke: true },
}

/** The state after an operator that sets a colour (8.6.8). `spaces`: of the resources, by name. */
export function setColour(
  state: GraphicsState,
  word: string,
  operands: readonly PdfValue[],
  spaces: ReadonlyMap<string, Space>,
): GraphicsState {
  const values = operands.filter((each) => typeof each === 'number')
  const last = operands.at(-1)
  const isStroke = word === word.toUpperCase()
  const key = isStroke ? 'stroke' : 'fill'
  const set = SETS[word]
  if (set) return { ...state, [key]: { space: set.space, values } }
  if (word === 'cs' || word === 'CS') {
    const space = (last instanceof PdfName ? spaces.get(last.name) : undefined) ?? OTHER
    return { ...state, [key]: { space, values: initialValues(space) } }
  }
  // A pattern paints with inks of its own.
  if (last instanceof PdfName) return { ...state, [key]: { space: OTHER, values: [] } }
  return { ...state, [key]: { space: state[key].space, values } }
}
