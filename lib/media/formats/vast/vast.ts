import { VAST_VERSIONS, type VastAd, type VastCreative, type VastFacts, type VastVersion } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, Defect, malware, printable } from '../defect'
import type { Examined } from '../format'
import { parseXml, type XmlElement } from '../image/xml'
import { decodeUnicode } from '../unicode'

/** Ad servers send some kilobytes; what is larger carries its creative in itself. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_DEPTH = 64
const MAX_ELEMENTS = 20_000
const KEPT = 100
/** Creatives and media files of a whole tag that are kept. */
const KEPT_IN_ALL = 500
const MAX_TEXT = 2_000

/** Elements whose text is an address (VAST 4.2, chapter 3; the same names in earlier versions). */
const ADDRESSES = new Set([
  'Impression',
  'Error',
  'VASTAdTagURI',
  'MediaFile',
  'Mezzanine',
  'InteractiveCreativeFile',
  'ClosedCaptionFile',
  'ClickThrough',
  'ClickTracking',
  'CustomClick',
  'Tracking',
  'StaticResource',
  'IFrameResource',
  'JavaScriptResource',
  'ExecutableResource',
  'Viewable',
  'NotViewable',
  'ViewUndetermined',
  'NonLinearClickThrough',
  'NonLinearClickTracking',
  'CompanionClickThrough',
  'CompanionClickTracking',
  'IconClickThrough',
  'IconClickTracking',
  'IconViewTracking',
  'Survey',
])
const CREATIVES: Readonly<Record<string, VastCreative['kind']>> = {
  Linear: 'linear',
  NonLinearAds: 'nonlinear',
  CompanionAds: 'companion',
}

type Open = { name: string; text: string; hasChildren: boolean; attributes: Map<string, string> }

/** VAST 2.0 to 4.3 (IAB Tech Lab): one tag, read to its end. Addresses are read, never asked for. */
export function examineVast(source: ByteSource): Examined {
  if (source.size > MAX_BYTES) {
    throw new Defect(
      'corrupt',
      `The VAST tag has ${(source.size / 1e6).toFixed(1)} MB; at most ${MAX_BYTES / 2 ** 20} MB are taken. Leave the creative out of it and name its address.`,
    )
  }
  const reader = new VastReader()
  parseXml(decodeUnicode(source.whole()), {
    open: (element) => reader.open(element),
    text: (text) => reader.text(text),
    close: () => reader.close(),
    instruction: () => undefined,
    doctype: () => {
      throw malware('A VAST tag has no document type (<!DOCTYPE>) and no entities of its own, which this file declares')
    },
  })
  return { media: reader.finish(), engine: 'vast 1' }
}

class VastReader {
  private readonly path: Open[] = []
  private readonly ads: VastAd[] = []
  private readonly insecure: VastFacts['insecure'] = []
  private version: VastVersion | undefined
  private elements = 0
  private adCount = 0
  private kept = 0
  private addressCount = 0
  private insecureCount = 0
  private durationSeconds: number | null = null
  private ad: VastAd | undefined
  private creative: VastCreative | undefined

  open(element: XmlElement): void {
    const name = element.name.slice(element.name.indexOf(':') + 1)
    this.elements += 1
    if (this.elements > MAX_ELEMENTS) throw bomb(`more than ${MAX_ELEMENTS} elements`)
    if (this.path.length >= MAX_DEPTH) throw bomb(`elements nested more than ${MAX_DEPTH} deep`)
    const parent = this.path.at(-1)
    if (parent) parent.hasChildren = true
    else this.version = versionOf(name, element.attributes)
    this.path.push({ name, text: '', hasChildren: false, attributes: element.attributes })
    if (this.isAt('VAST', 'Ad')) this.beginAd(element.attributes)
    else if (this.isAt('VAST', 'Ad', null, 'Creatives', 'Creative')) this.beginCreative()
    else if (this.isAt('VAST', 'Ad', null)) this.beginKind(name)
    else if (this.creative && this.isAt('VAST', 'Ad', null, 'Creatives', 'Creative', null))
      this.creative.kind = CREATIVES[name] ?? this.creative.kind
    if (this.creative && name === 'MediaFiles') this.creative.hasMediaFiles = true
  }

  text(text: string): void {
    const open = this.path.at(-1)
    if (open && open.text.length < MAX_TEXT) open.text = (open.text + text).slice(0, MAX_TEXT)
  }

  close(): void {
    const closed = this.path.at(-1)
    if (closed && !this.isExtension()) this.take(closed, closed.text.trim())
    this.path.pop()
    if (this.path.length === 1) this.ad = undefined
    if (closed?.name === 'Creative') this.creative = undefined
  }

  finish(): VastFacts {
    if (!this.version) throw corrupt('it holds no element')
    const { version, ads, adCount, durationSeconds, addressCount, insecure, insecureCount } = this
    return {
      kind: 'other',
      format: 'vast',
      version,
      ads,
      adCount,
      durationSeconds,
      addressCount,
      insecure,
      insecureCount,
    }
  }

  private mayKeep(): boolean {
    this.kept += 1
    return this.kept <= KEPT_IN_ALL
  }

  /** Null stands for any name. */
  private isAt(...names: (string | null)[]): boolean {
    return this.path.length === names.length && names.every((name, at) => name === null || this.path[at]?.name === name)
  }

  private isExtension = () => this.path.some(({ name }) => name === 'Extensions' || name === 'CreativeExtensions')

  private beginAd(attributes: Map<string, string>): void {
    this.adCount += 1
    this.ad = { id: attributes.get('id') ?? null, kind: 'none', elements: [], creatives: [], verifications: [] }
    if (this.ads.length < KEPT) this.ads.push(this.ad)
  }

  private beginKind(name: string): void {
    if (!this.ad) return
    if (name === 'InLine') this.ad.kind = 'inline'
    if (name === 'Wrapper') this.ad.kind = 'wrapper'
  }

  private beginCreative(): void {
    this.creative = {
      kind: 'none',
      universalAdIds: 0,
      duration: null,
      durationSeconds: null,
      hasMediaFiles: false,
      mediaFiles: [],
      events: [],
      clickThrough: null,
    }
    if (this.ad && this.ad.creatives.length < KEPT && this.mayKeep()) this.ad.creatives.push(this.creative)
  }

  /** An element that has ended. */
  private take(closed: Open, text: string): void {
    const { name, attributes } = closed
    if (ADDRESSES.has(name)) this.takeAddress(name, text)
    const isFilled = text !== '' || closed.hasChildren
    if (
      this.ad &&
      this.path.length === 4 &&
      isFilled &&
      !this.ad.elements.includes(name) &&
      this.ad.elements.length < KEPT
    )
      this.ad.elements.push(name)
    if (this.ad && name === 'Verification' && this.ad.verifications.length < KEPT)
      this.ad.verifications.push((attributes.get('vendor') ?? '').slice(0, 200))
    if (this.creative) this.takeOfCreative(this.creative, closed, text)
  }

  private takeOfCreative(creative: VastCreative, { name, attributes }: Open, text: string): void {
    if (name === 'UniversalAdId' && (text !== '' || attributes.get('idValue'))) creative.universalAdIds += 1
    if (name === 'ClickThrough') creative.clickThrough ??= text.slice(0, 500) || null
    if (name === 'Duration' && creative.kind === 'linear') {
      creative.duration ??= text.slice(0, 40)
      creative.durationSeconds ??= secondsOf(text)
      this.durationSeconds ??= creative.durationSeconds
    }
    const event = attributes.get('event')
    if (
      name === 'Tracking' &&
      event &&
      text !== '' &&
      !creative.events.includes(event) &&
      creative.events.length < KEPT
    )
      creative.events.push(event.slice(0, 60))
    if (name === 'MediaFile' && creative.mediaFiles.length < KEPT && this.mayKeep()) {
      const number = (attribute: string) => numberOf(attributes.get(attribute))
      creative.mediaFiles.push({
        address: text.slice(0, 500),
        delivery: attributes.get('delivery')?.slice(0, 60) ?? null,
        type: attributes.get('type')?.slice(0, 100) ?? null,
        width: number('width'),
        height: number('height'),
        bitrate: number('bitrate'),
        minBitrate: number('minBitrate'),
        maxBitrate: number('maxBitrate'),
      })
    }
  }

  private takeAddress(element: string, address: string): void {
    this.addressCount += 1
    if (/^https:\/\/[^\s/]/i.test(address)) return
    this.insecureCount += 1
    if (this.insecure.length < KEPT) this.insecure.push({ element, address: address.slice(0, 300) })
  }
}

/** @throws Defect for another root, and for a version that is not known */
function versionOf(root: string, attributes: Map<string, string>): VastVersion {
  if (root !== 'VAST') throw corrupt(`its root is <${printable(root)}> and not <VAST>`)
  const stated = attributes.get('version')
  const known = VAST_VERSIONS.find((version) => version === stated?.trim())
  if (known) return known
  throw new Defect(
    'corrupt',
    stated === undefined
      ? 'The VAST tag states no version. Write it on its root, as in <VAST version="4.2">.'
      : `The VAST tag states version “${printable(stated)}”; ${VAST_VERSIONS.join(', ')} are taken. Export it as one of these.`,
    VAST_VERSIONS.join(', '),
  )
}

/** `00:00:15`, `00:00:15.500` (VAST 4.2, 3.8.1). */
function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds] = /^(\d{2}):([0-5]\d):([0-5]\d(?:\.\d{1,3})?)$/.exec(text) ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null
