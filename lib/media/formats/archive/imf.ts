import type { ImfComposition, ImfFacts } from '../../facts'
import { Defect, printable } from '../defect'
import { parseXml } from '../image/xml'
import { decodeUnicode } from '../unicode'
import type { Rate } from '../video/mxf-sets'
import { type TrackFile, TrackFileReader } from './track-file'

/** An asset of a packing list: what it has to be (SMPTE ST 2067-2, packing list; ST 429-8). */
type ImfAsset = {
  id: string
  path: string
  size: number
  algorithm: 'sha1' | 'sha256' | null
  hash: string
  /** It is called MXF, by its type or its name. */
  isTrackFile: boolean
}

const MOST_FAULTS = 100
const MOST_ELSEWHERE = 100_000
/** The asset map is called so, in the top folder or one below (ST 429-9). */
const ASSET_MAP = /^(?:[^/]+\/)?ASSETMAP(?:\.xml)?$/i

export const isAssetMap = (path: string) => ASSET_MAP.test(path)

const ALGORITHMS: Readonly<Record<string, 'sha1' | 'sha256'>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
}

const MAP = 'SMPTE ST 429-9, asset map'
const LIST = 'SMPTE ST 2067-2, packing list'
const PLAYLIST = 'SMPTE ST 2067-3, composition playlist'
const TRACK_FILE = 'SMPTE ST 2067-5, track file'
const MXF = 'SMPTE ST 377-1'

/** What the sequences of the essence hold (ST 2067-2); others, as of markers, play no track file or any. */
const SEQUENCES: Readonly<Record<string, TrackFile['kinds'][number]>> = {
  MainImageSequence: 'image',
  MainAudioSequence: 'audio',
}

/**
 * An IMF package (SMPTE ST 2067), by its asset map, packing lists and composition playlists. `read` is asked before its
 * files are gone through; `verify` says of each what it should be, `finish` what was found.
 */
export class ImfReader {
  private readonly faults: ImfFacts['faults'] = []
  private faultCount = 0
  /** By the id of the asset. */
  private readonly paths = new Map<string, string>()
  private readonly assets = new Map<string, ImfAsset>()
  /** Ids in packing lists, also of assets that the asset map does not have. */
  private readonly listed = new Set<string>()
  /** Ids of track files that compositions play and this package does not have. */
  private readonly elsewhere = new Set<string>()
  /** What was gone through, by path. */
  private readonly found = new Map<string, { size: number; hash: string | null }>()
  /** By id of the asset; only such as could be read. */
  private readonly trackFiles = new Map<string, TrackFile>()
  private readonly compositions: ImfComposition[] = []
  private readonly base: string

  /** @param files the XML files of the archive, by path */
  constructor(
    private readonly files: ReadonlyMap<string, Buffer>,
    mapPath: string,
  ) {
    this.base = mapPath.slice(0, mapPath.lastIndexOf('/') + 1)
    const lists = this.readMap(mapPath)
    for (const path of lists) this.readList(path)
  }

  /** By what the bytes of this file have to be hashed; null where no packing list says. */
  algorithmOf(path: string): 'sha1' | 'sha256' | null {
    for (const asset of this.assets.values()) if (asset.path === path) return asset.algorithm
    return null
  }

  /** What goes through the bytes of this file; null where it is none with essence. */
  trackFileAt(path: string): TrackFileReader | null {
    for (const asset of this.assets.values()) if (asset.path === path && asset.isTrackFile) return new TrackFileReader()
    return null
  }

  take(path: string, size: number, hash: string | null, trackFile: TrackFile | null = null): void {
    this.found.set(path, { size, hash })
    if (!trackFile) return
    for (const asset of this.assets.values()) if (asset.path === path) this.trackFiles.set(asset.id, trackFile)
  }

  finish(): ImfFacts {
    for (const asset of this.assets.values()) this.verify(asset)
    for (const asset of this.assets.values()) this.readComposition(asset)
    if (this.compositions.length === 0) this.fault('The package holds no composition playlist.', PLAYLIST)
    return {
      assets: this.assets.size,
      compositions: this.compositions,
      elsewhere: [...this.elsewhere].slice(0, MOST_FAULTS),
      elsewhereCount: this.elsewhere.size,
      trackFiles: this.trackFiles.size,
      faults: this.faults,
      faultCount: this.faultCount,
    }
  }

  private fault(text: string, clause: string) {
    this.faultCount += 1
    if (this.faults.length < MOST_FAULTS) this.faults.push({ text, clause })
  }

  private parse(path: string, clause: string): Node | null {
    const bytes = this.files.get(path)
    if (!bytes) {
      this.fault(`“${printable(path)}” is not in the archive, or too large to be read.`, clause)
      return null
    }
    try {
      return readTree(bytes)
    } catch (error) {
      if (!(error instanceof Defect)) throw error
      this.fault(`“${printable(path)}” cannot be read. ${error.message}`, clause)
      return null
    }
  }

  /** Returns the paths of the packing lists. */
  private readMap(mapPath: string): string[] {
    const map = this.parse(mapPath, MAP)
    if (!map) return []
    if (map.name !== 'AssetMap')
      this.fault(`“${printable(mapPath)}” holds <${printable(map.name)}>, not an asset map.`, MAP)
    const lists: string[] = []
    for (const asset of all(map, 'AssetList', 'Asset')) {
      const id = idOf(text(asset, 'Id'))
      const chunks = all(asset, 'ChunkList', 'Chunk')
      const [chunk] = chunks
      const written = chunk && text(chunk, 'Path')
      if (!id || !written) {
        this.fault('An asset of the asset map has no id or no path.', MAP)
        continue
      }
      if (chunks.length > 1)
        this.fault(`The asset “${printable(written)}” is in ${chunks.length} chunks; one is wanted.`, MAP)
      if (this.paths.has(id)) this.fault(`The asset map names the id ${id} twice.`, MAP)
      const path = this.base + written
      this.paths.set(id, path)
      if (/^(true|1)?$/.test(text(asset, 'PackingList') ?? 'false')) lists.push(path)
    }
    if (lists.length === 0) this.fault('The asset map names no packing list.', MAP)
    return lists
  }

  private readList(listPath: string): void {
    const list = this.parse(listPath, LIST)
    if (!list) return
    for (const asset of all(list, 'AssetList', 'Asset')) {
      const id = idOf(text(asset, 'Id'))
      const size = Number(text(asset, 'Size'))
      const hash = text(asset, 'Hash')
      if (!id || !hash || !Number.isSafeInteger(size)) {
        this.fault(`An asset of “${printable(listPath)}” has no id, no hash or no size.`, LIST)
        continue
      }
      this.listed.add(id)
      const path = this.paths.get(id)
      if (path === undefined) {
        this.fault(`The packing list names the asset ${id}, which the asset map does not have.`, MAP)
        continue
      }
      const stated = child(asset, 'HashAlgorithm')?.attributes.get('Algorithm')
      const algorithm = stated === undefined ? 'sha1' : (ALGORITHMS[stated] ?? null)
      const isTrackFile = /mxf/i.test(text(asset, 'Type') ?? '') || /\.mxf$/i.test(path)
      this.assets.set(id, { id, path, size, algorithm, hash: hash.replace(/\s/g, ''), isTrackFile })
    }
  }

  private verify({ id, path, size, algorithm, hash }: ImfAsset): void {
    const name = `“${printable(path)}”`
    const found = this.found.get(path)
    this.verifyTrackFile(id, name)
    if (!found) this.fault(`${name} is not in the archive; the packing list names it.`, LIST)
    else if (found.size !== size) this.fault(`${name} has ${found.size} bytes; the packing list states ${size}.`, LIST)
    else if (algorithm === null) this.fault(`The hash of ${name} is of an algorithm that is not known here.`, LIST)
    else if (found.hash !== hash)
      this.fault(
        `The ${algorithm === 'sha1' ? 'SHA-1' : 'SHA-256'} hash of ${name} is not the one that the packing list states: its bytes were changed.`,
        LIST,
      )
  }

  /** A track file has one essence, is OP1a, and bears the id by which compositions name it. */
  private verifyTrackFile(id: string, name: string): void {
    const file = this.trackFiles.get(id)
    if (!file) return
    if (file.problem !== null) {
      this.fault(`${name} cannot be read as MXF: ${file.problem}.`, MXF)
      this.trackFiles.delete(id)
      return
    }
    if (file.pattern !== 'OP1a')
      this.fault(
        `${name} states ${file.pattern ? `the operational pattern ${file.pattern}` : 'no operational pattern that is known'}; a track file is OP1a.`,
        TRACK_FILE,
      )
    if (file.id !== null && file.id !== id)
      this.fault(`${name} says that it is the track file ${file.id}; the packing list calls it ${id}.`, TRACK_FILE)
    if (file.kinds.length > 1)
      this.fault(`${name} holds ${file.kinds.length} tracks of essence; a track file holds one.`, TRACK_FILE)
    const { units, stated } = file
    // Audio that is wrapped by the frame fills its last frame as far as it goes.
    if (units !== null && stated !== null && Math.abs(units - stated) >= 1)
      this.fault(`${name} holds ${Math.floor(units)} edit units of ${file.kinds[0]}; its header states ${stated}.`, MXF)
  }

  private readComposition({ id, path }: ImfAsset): void {
    if (!path.toLowerCase().endsWith('.xml') || !this.files.has(path)) return
    const playlist = this.parse(path, PLAYLIST)
    if (playlist?.name !== 'CompositionPlaylist') return
    const title = text(playlist, 'ContentTitle') ?? path
    const name = `The composition “${printable(title)}”`
    const own = idOf(text(playlist, 'Id'))
    if (own !== id)
      this.fault(`${name} says that it is ${own ?? 'without an id'}; the packing list calls it ${id}.`, PLAYLIST)
    const rate = rateOf(text(playlist, 'EditRate'))
    if (!rate) {
      this.fault(`${name} states no edit rate.`, PLAYLIST)
      return
    }
    let frames = 0
    for (const [index, segment] of all(playlist, 'SegmentList', 'Segment').entries())
      frames += this.readSegment(segment, `${name}, segment ${index + 1}`, rate)
    this.compositions.push({ title: title.slice(0, 200), editRate: [rate.num, rate.den], frames })
  }

  /** Returns how many edit units of the composition it takes. */
  private readSegment(segment: Node, name: string, rate: Rate): number {
    const sequences = (child(segment, 'SequenceList')?.children ?? []).filter(({ name }) => name.endsWith('Sequence'))
    if (sequences.length === 0) this.fault(`${name} has no sequence.`, PLAYLIST)
    const lengths = sequences.map((sequence) => this.readSequence(sequence, name, rate))
    const [first] = lengths
    for (const [index, length] of lengths.entries()) {
      const kind = sequences[index]?.name
      if (!Number.isInteger(length))
        this.fault(
          `${name}: ${kind} takes ${Number(length.toFixed(6))} edit units of the composition, not a whole number.`,
          PLAYLIST,
        )
      else if (Number.isInteger(first) && length !== first)
        this.fault(
          `${name}: ${kind} takes ${length} edit units, ${sequences[0]?.name} ${first}; all sequences of a segment take the same.`,
          PLAYLIST,
        )
    }
    return Math.round(first ?? 0)
  }

  private readSequence(sequence: Node, segment: string, rate: Rate): number {
    let units = 0
    for (const resource of all(sequence, 'ResourceList', 'Resource')) {
      const name = `${segment}, ${sequence.name}`
      const own = rateOf(text(resource, 'EditRate')) ?? rate
      const intrinsic = Number(text(resource, 'IntrinsicDuration'))
      const entry = Number(text(resource, 'EntryPoint') ?? 0)
      const duration = Number(text(resource, 'SourceDuration') ?? intrinsic - entry)
      const repeats = Number(text(resource, 'RepeatCount') ?? 1)
      if (![intrinsic, entry, duration, repeats].every((value) => Number.isSafeInteger(value) && value >= 0)) {
        this.fault(`${name}: a resource states no durations that are numbers.`, PLAYLIST)
        continue
      }
      if (entry + duration > intrinsic)
        this.fault(
          `${name}: a resource plays ${duration} edit units from ${entry}, and its essence has ${intrinsic}.`,
          PLAYLIST,
        )
      if (sequence.name === 'MainImageSequence' && own.num * rate.den !== rate.num * own.den)
        this.fault(`${name}: a resource has the edit rate ${wordOf(own)}, the composition ${wordOf(rate)}.`, PLAYLIST)
      units += (duration * repeats * own.den * rate.num) / (own.num * rate.den)
      const id = this.playedBy(resource, name)
      if (id) this.comparePlayed(id, sequence.name, { name, own, intrinsic })
    }
    // Sums of ratios, as of 48,000 samples and 24,000/1,001 frames, miss whole numbers by rounding.
    return Math.abs(units - Math.round(units)) < 1e-6 ? Math.round(units) : units
  }

  /** The id of the track file that a resource plays, where this package has it. */
  private playedBy(resource: Node, name: string): string | null {
    const written = text(resource, 'TrackFileId')
    if (written === undefined) return null
    const id = idOf(written)
    if (id && (this.assets.has(id) || this.listed.has(id))) return id
    // A supplemental package leaves out what the package of the original version has (IMF User Group, BP 002).
    if (id && !this.paths.has(id)) {
      if (this.elsewhere.size < MOST_ELSEWHERE) this.elsewhere.add(id)
      return null
    }
    this.fault(
      `${name}: the composition plays the track file ${printable(id ?? written)}, which no packing list of this package has.`,
      PLAYLIST,
    )
    return null
  }

  /** What a resource says of its essence, against the essence. */
  private comparePlayed(
    id: string,
    sequence: string,
    { name, own, intrinsic }: { name: string; own: Rate; intrinsic: number },
  ): void {
    const file = this.trackFiles.get(id)
    if (!file) return
    const title = `“${printable(this.paths.get(id) ?? id)}”`
    const wanted = SEQUENCES[sequence]
    const [kind] = file.kinds
    if (wanted && kind && kind !== wanted) {
      this.fault(`${name}: the composition plays ${title}, which holds ${kind}.`, PLAYLIST)
      return
    }
    const { rate, units } = file
    if (!rate) return
    if (kind === 'image' && own.num * rate.den !== rate.num * own.den) {
      this.fault(
        `${name}: a resource has the edit rate ${wordOf(own)}, its essence ${title} ${wordOf(rate)}.`,
        PLAYLIST,
      )
      return
    }
    const held = units ?? file.stated
    if (held === null) return
    const length = (held * rate.den * own.num) / (rate.num * own.den)
    if (Math.abs(length - intrinsic) >= 1)
      this.fault(
        `${name}: a resource says that its essence has ${intrinsic} edit units, ${title} has ${Math.floor(length)}.`,
        PLAYLIST,
      )
  }
}

/** “24000 1001” (ST 2067-3, rational). */
function rateOf(written: string | undefined): Rate | null {
  const [, num, den = '1'] = /^\s*(\d{1,9})(?:\s+(\d{1,9}))?\s*$/.exec(written ?? '') ?? []
  return Number(num) > 0 && Number(den) > 0 ? { num: Number(num), den: Number(den) } : null
}

const wordOf = ({ num, den }: Rate) => (den === 1 ? String(num) : `${num}/${den}`)

const idOf = (urn: string | undefined) =>
  /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(urn?.trim() ?? '')?.[1]?.toLowerCase()

/** An element without the prefix of its name, whose namespaces differ from edition to edition. */
type Node = { name: string; attributes: Map<string, string>; text: string; children: Node[] }

const MOST_NODES = 200_000

function readTree(bytes: Buffer): Node {
  const root: Node = { name: '', attributes: new Map(), text: '', children: [] }
  const open = [root]
  let count = 0
  parseXml(decodeUnicode(bytes), {
    open({ name, attributes }) {
      count += 1
      if (count > MOST_NODES) throw new Defect('corrupt', `It has more than ${MOST_NODES} elements.`)
      const node: Node = { name: name.slice(name.indexOf(':') + 1), attributes, text: '', children: [] }
      open.at(-1)?.children.push(node)
      open.push(node)
    },
    text(text) {
      const node = open.at(-1)
      if (node && node.text.length < 2000) node.text += text.slice(0, 2000)
    },
    close: () => void open.pop(),
    instruction: () => undefined,
    doctype() {
      throw new Defect('corrupt', 'It has a document type, which none of these files has.')
    },
  })
  const [first] = root.children
  if (!first) throw new Defect('corrupt', 'It holds no element.')
  return first
}

const child = (node: Node, name: string) => node.children.find((each) => each.name === name)
const text = (node: Node, name: string) => child(node, name)?.text.trim()
const all = (node: Node, list: string, name: string) =>
  (child(node, list)?.children ?? []).filter((each) => each.name === name)
