/** The plates of a page, and what one of them has of a colour space (ISO 32000-2, 8.6). */

const PROCESS_INKS = ['Cyan', 'Magenta', 'Yellow', 'Black'] as const

/** `unconverted`: what has no plates before a conversion (RGB, Lab); shown in black where it stands. */
type PlateKind = 'process' | 'spot' | 'unconverted'
export type Plate = { kind: PlateKind; name: string }

/** What a reviewer has to know of what is shown. */
export type PlateNote = 'unconverted' | 'profiled_cmyk' | 'blended_in_rgb' | 'blended_as_colours'

/** A colour space, as far as plates need it. */
export type PlateSpace =
  | { kind: 'grey' | 'colours' | 'pattern' }
  | { kind: 'cmyk'; isDevice: boolean }
  | { kind: 'inks'; names: readonly string[] }
  /** Colours by number; what they are made of. */
  | { kind: 'indexed'; base: PlateSpace }

/**
 * What a plate has of the colours of a space: the component that is its share, all of it, or nothing. `isPainted`: whether
 * what is painted in this space replaces what the plate has, with overprint too (table 149).
 */
export type Share = { of: number | 'all' | 'none'; isPainted: boolean }

export function shareOf(space: PlateSpace, plate: Plate | null): Share {
  if (plate === null) return { of: 'none', isPainted: true }
  const isProcess = plate.kind === 'process'
  const process = isProcess ? PROCESS_INKS.findIndex((name) => name === plate.name) : -1
  switch (space.kind) {
    case 'grey':
      return { of: process === 3 ? 0 : 'none', isPainted: isProcess }
    case 'cmyk':
      return { of: isProcess ? process : 'none', isPainted: isProcess }
    case 'colours':
      return plate.kind === 'unconverted' ? { of: 'all', isPainted: true } : { of: 'none', isPainted: isProcess }
    case 'indexed':
      return shareOf(space.base, plate)
    case 'pattern':
      return { of: 'none', isPainted: true }
    case 'inks': {
      const at = plate.kind === 'unconverted' ? -1 : space.names.findIndex((name) => isOn(name, plate))
      return at < 0 ? { of: 'none', isPainted: false } : { of: at, isPainted: true }
    }
  }
}

/** `All` is on every plate (8.6.6.4). */
const isOn = (name: string, plate: Plate) => name === plate.name || name === 'All'

/** Inks that a space has none of are on no plate at all: nothing is painted, and nothing is left blank. */
export const paintsNothing = (space: PlateSpace): boolean =>
  space.kind === 'inks' && space.names.every((name) => name === 'None')

/** Notes the plates that a page turns out to have. */
export class FoundPlates {
  private readonly process = new Set<string>()
  private readonly spots = new Set<string>()
  readonly notes = new Set<PlateNote>()

  add(space: PlateSpace): void {
    if (space.kind === 'indexed') this.add(space.base)
    else if (space.kind === 'grey') this.process.add('Black')
    else if (space.kind === 'colours') this.notes.add('unconverted')
    else if (space.kind === 'cmyk') {
      for (const name of PROCESS_INKS) this.process.add(name)
      if (!space.isDevice) this.notes.add('profiled_cmyk')
    } else if (space.kind === 'inks')
      for (const name of space.names) {
        if (PROCESS_INKS.some((each) => each === name)) this.process.add(name)
        else if (name !== 'All' && name !== 'None') this.spots.add(name)
      }
  }

  /** Cyan, magenta, yellow, black, then spot colours as they are met, then what is on none of them. */
  get plates(): Plate[] {
    return [
      ...PROCESS_INKS.filter((name) => this.process.has(name)).map((name): Plate => ({ kind: 'process', name })),
      ...[...this.spots].map((name): Plate => ({ kind: 'spot', name })),
      ...(this.notes.has('unconverted') ? [{ kind: 'unconverted', name: '' } satisfies Plate] : []),
    ]
  }
}
