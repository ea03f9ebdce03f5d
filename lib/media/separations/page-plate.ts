import { deflateSync } from 'node:zlib'
import type { ByteSource } from '../formats/byte-source'
import { bomb, corrupt } from '../formats/defect'
import type { PdfDocument, PdfPage } from '../formats/document/pdf-document'
import { OTHER, readSpace } from '../formats/document/pdf-inks'
import { readOverprint } from '../formats/document/pdf-resources'
import {
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../formats/document/pdf-syntax'
import {
  leaves,
  type Paint,
  type PlateNames,
  type PlateState,
  rewriteContent,
  type StateChange,
  type UsedSpace,
} from './content-rewriter'
import { FoundPlates, type Plate, type PlateSpace, paintsNothing, type Share, shareOf } from './plates'
import type { WrittenPdf } from './written-pdf'

const MOST_OBJECTS = 50_000
const MOST_CONTENT_BYTES = 256 * 1024 * 1024
const MAX_DEPTH = 20
/** What no plate needs, or would show a second time. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'Parent',
  'StructParent',
  'StructParents',
  'Metadata',
  'PieceInfo',
  'OPI',
  'Alternates',
])
/** Blend modes that a spot colour does not have (11.7.4.2): it is painted over. */
const NOT_OF_SPOTS: ReadonlySet<string> = new Set([
  'Difference',
  'Exclusion',
  'Hue',
  'Saturation',
  'Color',
  'Luminosity',
])
const OF_COLOURS: ReadonlySet<string> = new Set(['Hue', 'Saturation', 'Color', 'Luminosity'])
const DEVICES: Readonly<Record<string, PlateSpace>> = {
  DeviceGray: { kind: 'grey' },
  CalGray: { kind: 'grey' },
  DeviceRGB: { kind: 'colours' },
  CalRGB: { kind: 'colours' },
  Lab: { kind: 'colours' },
  DeviceCMYK: { kind: 'cmyk', isDevice: true },
  Pattern: { kind: 'pattern' },
}

const name = (text: string) => new PdfName(text)
const ordinary = (paint: Partial<Paint> = {}): Paint => ({
  isPainted: true,
  isNothing: false,
  isZero: false,
  isInitial: false,
  ...paint,
})

/**
 * Writes a page as it is on one plate: a page of grey, in which every colour is 1 - its share of the plate. Spaces of images,
 * shadings and patterns are replaced by ones with as many components, of which a function takes the share (8.6.6), so no
 * sample is decoded. `plate` null: nothing but which plates there are is wanted.
 */
export class PagePlate {
  readonly found = new FoundPlates()
  private readonly numbers = new Map<string, PdfReference>()
  private readonly copied = new Set<number>()
  /** Objects that are made come after those of the file, which keep their numbers. */
  private readonly last: number
  private made = 0
  private content = MOST_CONTENT_BYTES

  constructor(
    private readonly document: PdfDocument,
    private readonly source: ByteSource,
    private readonly plate: Plate | null,
    private readonly out: WrittenPdf | null,
  ) {
    this.last = document.objectNumbers.reduce((most, number) => Math.max(most, number), 0)
  }

  async write({ dictionary, inherited }: PdfPage, root: PdfDictionary): Promise<void> {
    const parts: Buffer[] = []
    const contents = await this.document.resolve(dictionary.get('Contents'))
    for (const part of Array.isArray(contents) ? contents : [contents]) {
      const stream = await this.document.resolve(part)
      if (stream instanceof PdfStream) parts.push(await this.data(stream), Buffer.from('\n'))
    }
    await this.noteGroup(dictionary)
    const resources = await this.document.dictionary(dictionary.get('Resources') ?? inherited.get('Resources'))
    const written = await this.rewritten(Buffer.concat(parts), resources, null, 0)
    const [pages, page] = [this.reference(), this.reference()]
    const entries: PdfDictionary = new Map<string, PdfValue>([
      ['Type', name('Page')],
      ['Parent', pages],
      ['Contents', this.stream(new Map(), written.content)],
      ['Resources', written.resources],
    ])
    for (const key of ['MediaBox', 'CropBox', 'Rotate', 'UserUnit']) {
      const value = dictionary.get(key) ?? inherited.get(key)
      if (value !== undefined) entries.set(key, await this.copy(value))
    }
    const catalogue: PdfDictionary = new Map<string, PdfValue>([
      ['Type', name('Catalog')],
      ['Pages', pages],
    ])
    if (root.has('OCProperties')) catalogue.set('OCProperties', await this.copy(root.get('OCProperties') ?? null))
    const first = this.reference()
    this.out?.object(page, entries)
    this.out?.object(
      pages,
      new Map<string, PdfValue>([
        ['Type', name('Pages')],
        ['Kids', [page]],
        ['Count', 1],
      ]),
    )
    this.out?.object(first, catalogue)
    this.out?.end(first)
  }

  /** `before` null: the content begins in black, as pages and patterns do (8.4.1). */
  private async rewritten(
    content: Buffer,
    resources: PdfDictionary | undefined,
    before: PlateState | null,
    depth: number,
  ) {
    if (depth > MAX_DEPTH) throw corrupt('what it draws lies too deep in one another')
    const used = new UsedResources()
    const black = shareOf({ kind: 'grey' }, this.plate)
    const paint = ordinary({ isPainted: black.isPainted, isInitial: true })
    const state = before ?? {
      fill: paint,
      stroke: paint,
      overprintsFill: false,
      overprintsStroke: false,
      overprintMode: 0,
      textMode: 0,
    }
    const head = before === null && black.of === 'none' ? '1 g 1 G\n' : ''
    const body = await rewriteContent(content, state, this.namesOf(resources, used, depth))
    return { content: Buffer.concat([Buffer.from(head), body]), resources: used.dictionary }
  }

  private namesOf(resources: PdfDictionary | undefined, used: UsedResources, depth: number): PlateNames {
    const { document } = this
    const named = async (kind: string, key: string) => (await document.dictionary(resources?.get(kind)))?.get(key)
    const placed = async (value: PdfValue): Promise<{ space: PlateSpace; name: string }> => {
      const space = await this.read(value)
      return { space, name: used.add('ColorSpace', await this.space(value)) }
    }
    /** A shading, whether it leaves what is there or not. */
    const draws = (space: PlateSpace, state: PlateState) => !leaves(this.paint(space), state.overprintsFill, 0)
    return {
      initial: () => this.found.add({ kind: 'grey' }),
      device: async (key, values) => {
        const space = DEVICES[key] as PlateSpace
        this.found.add(space)
        const { of } = shareOf(space, this.plate)
        const value = typeof of === 'number' ? Math.max(0, Math.min(1, values[of] ?? 0)) : 0
        const share = of === 'all' ? 1 : space.kind === 'grey' && of === 0 ? 1 - value : value
        return {
          share: of === 'none' ? 0 : share,
          paint: { ...this.paint(space), isZero: space.kind === 'cmyk' && share === 0 },
        }
      },
      space: async (key): Promise<UsedSpace> => {
        if (key === 'Pattern') return { name: key, paint: ordinary(), initial: null, zeroOf: null }
        const value = DEVICES[key] ? name(key) : ((await named('ColorSpace', key)) ?? null)
        const { space, name: as } = await placed(value)
        const { of } = shareOf(space, this.plate)
        const isDevice = space.kind === 'cmyk' && space.isDevice
        const initial = { grey: [0], colours: [0, 0, 0], cmyk: isDevice ? [0, 0, 0, 1] : [0, 0, 0, 0] }
        return {
          name: as,
          paint: { ...this.paint(space), isZero: isDevice && of !== 3 },
          initial: initial[space.kind as keyof typeof initial] ?? null,
          zeroOf: isDevice && typeof of === 'number' ? of : null,
        }
      },
      pattern: async (key, state) => {
        const value = (await named('Pattern', key)) ?? null
        const found = await document.resolve(value)
        if (found instanceof PdfStream) {
          used.set('Pattern', key, await this.drawing(found, resources, null, depth))
          return (await document.number(found.dictionary.get('PaintType'))) === 2 ? null : ordinary()
        }
        if (!isDictionary(found)) return ordinary()
        const shading = found.get('Shading') ?? null
        const space = await this.read((await document.dictionary(shading))?.get('ColorSpace') ?? null)
        const entries = new Map([...found].filter(([each]) => each !== 'ExtGState'))
        entries.set('Shading', await this.shading(shading))
        used.set('Pattern', key, await this.copy(entries, new Set(['Shading'])))
        return draws(space, state) ? ordinary() : this.paint(space)
      },
      state: async (key): Promise<StateChange> => {
        const dictionary = await document.dictionary(await named('ExtGState', key))
        if (!dictionary) return {}
        used.set('ExtGState', key, await this.graphicsState(dictionary))
        return readOverprint(document, dictionary)
      },
      font: async (key, state) => {
        const value = (await named('Font', key)) ?? null
        const font = await document.dictionary(value)
        const isDrawn = (await document.name(font?.get('Subtype'))) === 'Type3'
        used.set(
          'Font',
          key,
          font && isDrawn ? await this.drawnFont(value, font, resources, state, depth) : await this.copy(value),
        )
      },
      object: async (key, state) => {
        const value = (await named('XObject', key)) ?? null
        const object = await document.resolve(value)
        if (!(object instanceof PdfStream)) return false
        if ((await document.name(object.dictionary.get('Subtype'))) !== 'Image') {
          used.set('XObject', key, await this.drawing(object, resources, state, depth))
          return true
        }
        if ((await document.resolve(object.dictionary.get('ImageMask'))) === true) {
          if (state.fill.isInitial) this.found.add({ kind: 'grey' })
          if (leaves(state.fill, state.overprintsFill, state.overprintMode)) return false
          used.set('XObject', key, await this.copy(value))
          return true
        }
        const listed = object.dictionary.get('ColorSpace')
        // Of JPEG 2000, which may say itself what it is in: taken for what it is most often.
        const space: PlateSpace =
          listed === undefined ? { kind: 'colours' } : await this.read(spaceIn(listed, await this.spacesOf(resources)))
        this.found.add(space)
        if (!draws(space, state)) return false
        used.set('XObject', key, await this.image(value, object, listed, space))
        return true
      },
      shading: async (key, state) => {
        const value = (await named('Shading', key)) ?? null
        const space = await this.read((await document.dictionary(value))?.get('ColorSpace') ?? null)
        used.set('Shading', key, await this.shading(value))
        return draws(space, state)
      },
      property: async (key) => {
        const value = await named('Properties', key)
        const type = await document.name((await document.dictionary(value))?.get('Type'))
        if (value !== undefined && (type === 'OCG' || type === 'OCMD'))
          used.set('Properties', key, await this.copy(value))
      },
      inlineImage: async (value, state) => {
        const { space, name: as } = await placed(spaceIn(value, await this.spacesOf(resources)))
        return draws(space, state) ? as : null
      },
    }
  }

  private spacesOf = async (resources: PdfDictionary | undefined) =>
    this.document.dictionary(resources?.get('ColorSpace'))

  private paint = (space: PlateSpace): Paint => ({
    isPainted: shareOf(space, this.plate).isPainted,
    isNothing: paintsNothing(space),
    isZero: false,
    isInitial: false,
  })

  /** What a colour space is (8.6), noted as one of the page. */
  private async read(value: PdfValue, depth = 0): Promise<PlateSpace> {
    const space = await this.spaceOf(value, depth)
    this.found.add(space)
    return space
  }

  private async spaceOf(value: PdfValue, depth: number): Promise<PlateSpace> {
    const { document } = this
    if (depth > 4) throw corrupt('its colour spaces lie too deep in one another')
    const found = await document.resolve(value)
    const parts = Array.isArray(found) ? found : [found]
    const family = (await document.name(parts[0])) ?? ''
    if (family === 'Indexed') return { kind: 'indexed', base: await this.spaceOf(parts[1] ?? null, depth + 1) }
    const known = DEVICES[family]
    if (known) return known
    const space = Array.isArray(found) ? await readSpace(document, found) : OTHER
    if (space.kind === 'inks' && space.names.length > 32) throw corrupt('a colour space has more than 32 inks')
    if (space.kind === 'other') throw corrupt('it has a colour space that is none of PDF')
    return space.kind === 'rgb' ? { kind: 'colours' } : space
  }

  /** The space of the plate in place of one of the page, with as many components. */
  private async space(value: PdfValue): Promise<PdfValue> {
    const space = await this.spaceOf(value, 0)
    const found = await this.document.resolve(value)
    const parts = Array.isArray(found) ? found : []
    if (space.kind === 'indexed')
      return [
        name('Indexed'),
        await this.space(parts[1] ?? null),
        await this.copy(parts[2] ?? null),
        await this.copy(parts[3] ?? null),
      ]
    if (space.kind === 'pattern')
      return parts[1] === undefined ? name('Pattern') : [name('Pattern'), await this.space(parts[1])]
    const share = shareOf(space, this.plate)
    if (space.kind === 'grey' && share.of === 0) return name('DeviceGray')
    const count = space.kind === 'inks' ? space.names.length : { grey: 1, colours: 3, cmyk: 4 }[space.kind]
    return tinted(count, share, (dictionary, code) => this.stream(dictionary, code, false))
  }

  private async shading(value: PdfValue): Promise<PdfValue> {
    const found = await this.document.resolve(value)
    const dictionary = await this.document.dictionary(value)
    if (!dictionary) return null
    const entries = new Map(dictionary)
    entries.set('ColorSpace', await this.space(dictionary.get('ColorSpace') ?? null))
    const copied = (await this.copy(entries, new Set(['ColorSpace']))) as PdfDictionary
    return found instanceof PdfStream ? this.raw(copied, found) : copied
  }

  private async image(
    value: PdfValue,
    image: PdfStream,
    listed: PdfValue | undefined,
    space: PlateSpace,
  ): Promise<PdfValue> {
    const key = value instanceof PdfReference ? `image ${value.number}` : null
    const known = key && this.numbers.get(key)
    if (known) return known
    const { of } = shareOf(space, this.plate)
    const masks: PdfDictionary = new Map()
    for (const each of ['SMask', 'Mask', 'OC', 'Interpolate']) {
      const held = image.dictionary.get(each)
      // Colours that are masked belong to samples.
      if (held !== undefined) masks.set(each, await this.copy(held))
    }
    const isKeyed = Array.isArray(await this.document.resolve(image.dictionary.get('Mask')))
    let made: PdfReference
    if (typeof of !== 'number' && !isKeyed && !image.dictionary.has('SMaskInData')) {
      // All of it is one grey: no sample is needed.
      const entries: [string, PdfValue][] = [
        ['Type', name('XObject')],
        ['Subtype', name('Image')],
        ['Width', 1],
        ['Height', 1],
        ['ColorSpace', name('DeviceGray')],
        ['BitsPerComponent', 8],
      ]
      made = this.stream(new Map([...entries, ...masks]), Buffer.from([of === 'all' ? 0 : 255]), false)
    } else {
      const entries = (await this.copy(
        new Map([...image.dictionary].filter(([each]) => each !== 'ColorSpace')),
      )) as PdfDictionary
      if (listed !== undefined) entries.set('ColorSpace', await this.space(listed))
      made = this.raw(entries, image)
    }
    if (key) this.numbers.set(key, made)
    return made
  }

  /** A form, a pattern or a glyph: content of its own, as the state it is drawn in leaves it (8.10, 8.7.3, 9.6.4). */
  private async drawing(
    form: PdfStream,
    outer: PdfDictionary | undefined,
    state: PlateState | null,
    depth: number,
  ): Promise<PdfReference> {
    const key = `drawing ${form.start} ${JSON.stringify(state)}`
    const known = this.numbers.get(key)
    if (known) return known
    const made = this.reference()
    this.numbers.set(key, made)
    await this.noteGroup(form.dictionary)
    const resources = (await this.document.dictionary(form.dictionary.get('Resources'))) ?? outer
    const isUncoloured = (await this.document.number(form.dictionary.get('PaintType'))) === 2
    const inherited = isUncoloured
      ? {
          fill: ordinary(),
          stroke: ordinary(),
          overprintsFill: false,
          overprintsStroke: false,
          overprintMode: 0,
          textMode: 0,
        }
      : state
    const written = await this.rewritten(await this.data(form), resources, inherited, depth + 1)
    const kept = new Map(
      [...form.dictionary].filter(
        ([each]) => !['Filter', 'DecodeParms', 'Length', 'Resources', 'Group'].includes(each),
      ),
    )
    const entries = (await this.copy(kept)) as PdfDictionary
    const group = await this.document.dictionary(form.dictionary.get('Group'))
    if (group) entries.set('Group', await this.copy(new Map([...group, ['CS', name('DeviceGray')]])))
    entries.set('Resources', written.resources)
    this.put(made, entries, written.content)
    return made
  }

  private async drawnFont(
    value: PdfValue,
    font: PdfDictionary,
    outer: PdfDictionary | undefined,
    state: PlateState,
    depth: number,
  ): Promise<PdfValue> {
    const key = value instanceof PdfReference ? `font ${value.number} ${JSON.stringify(state)}` : null
    const known = key && this.numbers.get(key)
    if (known) return known
    const made = this.reference()
    if (key) this.numbers.set(key, made)
    const resources = (await this.document.dictionary(font.get('Resources'))) ?? outer
    const glyphs: PdfDictionary = new Map()
    const shared: PdfDictionary = new Map()
    for (const [glyph, each] of (await this.document.dictionary(font.get('CharProcs'))) ?? []) {
      const content = await this.document.resolve(each)
      if (!(content instanceof PdfStream)) continue
      const written = await this.rewritten(await this.data(content), resources, state, depth + 1)
      glyphs.set(glyph, this.stream(new Map(), written.content))
      mergeInto(shared, written.resources)
    }
    const entries = (await this.copy(
      new Map([...font].filter(([each]) => each !== 'CharProcs' && each !== 'Resources')),
    )) as PdfDictionary
    entries.set('CharProcs', glyphs)
    entries.set('Resources', shared)
    this.out?.object(made, entries)
    return made
  }

  private async graphicsState(dictionary: PdfDictionary): Promise<PdfValue> {
    const kept: PdfDictionary = new Map()
    for (const [key, value] of dictionary)
      if (!['OP', 'op', 'OPM', 'BG', 'BG2', 'UCR', 'UCR2', 'TR', 'TR2', 'HT'].includes(key)) kept.set(key, value)
    const given = await this.document.resolve(kept.get('BM'))
    const mode = await this.document.name(Array.isArray(given) ? given[0] : given)
    if (mode !== undefined && OF_COLOURS.has(mode)) this.found.notes.add('blended_as_colours')
    if (mode !== undefined && this.plate?.kind === 'spot' && NOT_OF_SPOTS.has(mode)) kept.set('BM', name('Normal'))
    return this.copy(kept)
  }

  private async noteGroup(dictionary: PdfDictionary): Promise<void> {
    const group = await this.document.dictionary(dictionary.get('Group'))
    const space = group?.get('CS')
    if (space !== undefined && (await this.spaceOf(space, 0)).kind === 'colours') this.found.notes.add('blended_in_rgb')
  }

  /** A value with all that it refers to, as it is. @param asIs keys whose values are of this document already */
  private async copy(value: PdfValue, asIs: ReadonlySet<string> = new Set(), depth = 0): Promise<PdfValue> {
    if (depth > 200) throw corrupt('its objects lie too deep in one another')
    if (this.out === null) return isDictionary(value) ? new Map() : null
    if (value instanceof PdfReference) {
      if (this.copied.has(value.number)) return value
      this.copied.add(value.number)
      if (this.copied.size > MOST_OBJECTS) throw bomb('the page refers to too many objects')
      const found = await this.document.resolve(value)
      if (found instanceof PdfStream) {
        const entries = (await this.copy(found.dictionary, asIs, depth + 1)) as PdfDictionary
        this.out.stream(value, entries, this.source.pieces(found.start, found.start + found.length), found.length)
      } else this.out.object(value, (await this.copy(found, asIs, depth + 1)) as Exclude<PdfValue, PdfStream>)
      return value
    }
    if (Array.isArray(value)) {
      const copies: PdfValue[] = []
      for (const each of value) copies.push(await this.copy(each, new Set(), depth + 1))
      return copies
    }
    if (!isDictionary(value)) return value
    const copies: PdfDictionary = new Map()
    for (const [key, each] of value)
      if (!LEFT_OUT.has(key)) copies.set(key, asIs.has(key) ? each : await this.copy(each, new Set(), depth + 1))
    return copies
  }

  private async data(stream: PdfStream): Promise<Buffer> {
    const data = await this.document.data(stream, 'the content of the page')
    this.content -= data.length
    if (this.content < 0) throw bomb('the content of the page is too long')
    return data
  }

  private reference(): PdfReference {
    this.made += 1
    if (this.made > MOST_OBJECTS) throw bomb('the page draws too many objects')
    return new PdfReference(this.last + this.made, 0)
  }

  private stream(dictionary: PdfDictionary, content: Buffer, isPacked = true): PdfReference {
    const made = this.reference()
    if (isPacked) this.put(made, dictionary, content)
    else this.out?.stream(made, dictionary, [content], content.length)
    return made
  }

  private put(made: PdfReference, dictionary: PdfDictionary, content: Buffer): void {
    if (!this.out) return
    const packed = deflateSync(content, { level: 1 })
    this.out.stream(made, new Map([...(dictionary ?? []), ['Filter', name('FlateDecode')]]), [packed], packed.length)
  }

  private raw(dictionary: PdfDictionary, { start, length }: PdfStream): PdfReference {
    const made = this.reference()
    this.out?.stream(made, dictionary, this.source.pieces(start, start + length), length)
    return made
  }
}

/** Of a name that stands for a space of the resources, that space. */
const spaceIn = (value: PdfValue, listed: PdfDictionary | undefined): PdfValue =>
  value instanceof PdfName && !DEVICES[value.name] ? (listed?.get(value.name) ?? value) : value

function mergeInto(all: PdfDictionary, more: PdfDictionary): void {
  for (const [kind, entries] of more)
    all.set(kind, new Map([...((all.get(kind) as PdfDictionary) ?? []), ...(entries as PdfDictionary)]))
}

/** Resources that the content of a plate names (7.8.3). */
class UsedResources {
  readonly dictionary: PdfDictionary = new Map()
  private static count = 0

  set(kind: string, key: string, value: PdfValue): void {
    mergeInto(this.dictionary, new Map([[kind, new Map([[key, value]])]]))
  }

  /** Under a name of its own, which is returned. */
  add(kind: string, value: PdfValue): string {
    UsedResources.count += 1
    const key = `GrPlate${UsedResources.count}`
    this.set(kind, key, value)
    return key
  }
}

/** A space of so many components, whose grey is 1 - one of them, or is the same for all (8.6.6.4, 8.6.6.5, 7.10.5). */
function tinted(
  count: number,
  { of }: Share,
  put: (dictionary: PdfDictionary, code: Buffer) => PdfReference,
): PdfValue {
  const whole = Array.from({ length: count }, () => [0, 1]).flat()
  const grey = typeof of === 'number' ? `${count - 1 - of} index 1 exch sub ` : `${of === 'all' ? 0 : 1} `
  const code = `{ ${grey}${count + 1} 1 roll${' pop'.repeat(count)} }`
  const type4 = () =>
    put(
      new Map<string, PdfValue>([
        ['FunctionType', 4],
        ['Domain', whole],
        ['Range', [0, 1]],
      ]),
      Buffer.from(code),
    )
  if (count > 1)
    return [name('DeviceN'), Array.from({ length: count }, (_, at) => name(`Share${at}`)), name('DeviceGray'), type4()]
  const [from, to] = of === 'none' ? [1, 1] : of === 'all' ? [0, 0] : [1, 0]
  const line = new Map<string, PdfValue>([
    ['FunctionType', 2],
    ['Domain', [0, 1]],
    ['C0', [from]],
    ['C1', [to]],
    ['N', 1],
  ])
  return [name('Separation'), name('Share'), name('DeviceGray'), line]
}
