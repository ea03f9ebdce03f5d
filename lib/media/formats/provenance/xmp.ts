import type { HistoryStep } from '../../facts'
import { printable } from '../defect'

/** What XMP (ISO 16684-1) says of where a file comes from. Packets are searched as text: many are cut or not well-formed. */

const MOST_STEPS = 100
const MOST_LENGTH = 200
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (text: string) =>
  printable(text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim())

/** IPTC Photo Metadata, Digital Source Type: an address of the vocabulary, or its last part alone. */
export function sourceTypesInXmp(packet: string): string[] {
  return [...packet.matchAll(/DigitalSourceType(?:>|\s+rdf:resource=["']|=["'])\s*([^<"'\s]{1,200})/gi)].flatMap(
    ([, value]) => value?.split('/').at(-1) ?? [],
  )
}

/** Where the manifest of the file lies, as its XMP says (C2PA 2.1, 11.4): an address, or a place in the file itself. */
export const referenceInXmp = (packet: string): string | null => fieldOf(packet, 'dcterms:provenance')

/** The steps of `xmpMM:History` (XMP specification, part 2, 1.2.4: ResourceEvent), the oldest first. */
export function historyInXmp(packet: string): HistoryStep[] {
  const start = packet.indexOf('<xmpMM:History')
  const end = start < 0 ? -1 : packet.indexOf('</xmpMM:History', start)
  if (end < 0) return []
  return packet
    .slice(start, end)
    .split('<rdf:li', MOST_STEPS + 1)
    .slice(1)
    .map((step) => ({
      action: fieldOf(step, 'stEvt:action'),
      tool: fieldOf(step, 'stEvt:softwareAgent'),
      when: fieldOf(step, 'stEvt:when'),
    }))
    .filter(({ action, tool, when }) => action ?? tool ?? when)
}

/** A simple property, as an attribute or as an element; null where it is not stated. */
function fieldOf(text: string, name: string): string | null {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const rest = text.slice(at + name.length, at + name.length + MOST_LENGTH + 20)
    const [, quoted, single, content] = /^(?:\s*=\s*(?:"([^"]*)|'([^']*))|>([^<]*)<)/.exec(rest) ?? []
    const value = plain((quoted ?? single ?? content ?? '').slice(0, MOST_LENGTH))
    if (value) return value
  }
  return null
}
