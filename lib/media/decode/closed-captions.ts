import type { ClosedCaptions } from '../facts'

/**
 * What the caption data of a stream say (ATSC A/53 Part 4, cc_data): characters of CEA-608 by field, and blocks of the
 * services of CEA-708 by number. Padding, which encoders send where there are no captions, counts as nothing.
 */
export class ClosedCaptionReader {
  private pairs = 0
  private readonly characters: [number, number] = [0, 0]
  private readonly services = new Map<number, number>()
  private packet: number[] = []
  private from: number | null = null
  private until: number | null = null

  /** Triplets of one frame; `time` in seconds from the start of the video. */
  take(data: Uint8Array, time: number): void {
    let says = false
    for (let at = 0; at + 3 <= data.length; at += 3) {
      const [head, first, second] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
      const type = head & 3
      // In 708 an invalid pair ends the packet before (CEA-708-E, 4.4).
      if ((head & 4) === 0) {
        if (type >= 2 && this.packet.length > 0) says = this.closePacket() || says
        continue
      }
      this.pairs += 1
      if (type < 2) {
        const count = charactersOf(first & 0x7f, second & 0x7f)
        this.characters[type as 0 | 1] += count
        if (count > 0) says = true
        continue
      }
      if (type === 3) says = this.closePacket() || says
      if (type === 3 || this.packet.length > 0) this.packet.push(first, second)
    }
    if (!says) return
    this.from ??= time
    this.until = time
  }

  /** Null where no frame carries any. */
  finish(): ClosedCaptions | null {
    this.closePacket()
    if (this.pairs === 0) return null
    return {
      cea608: this.characters,
      cea708: [...this.services].map(([service, bytes]) => ({ service, bytes })).sort((a, b) => a.service - b.service),
      from: this.from,
      until: this.until,
    }
  }

  /** Service blocks of a DTVCC packet (CEA-708-E, 5 and 6); true where one says something. */
  private closePacket(): boolean {
    const { packet } = this
    this.packet = []
    const [head] = packet
    if (head === undefined) return false
    const code = head & 0x3f
    const end = Math.min(packet.length, code === 0 ? 128 : code * 2)
    let says = false
    for (let at = 1; at < end; ) {
      let service = (packet[at] as number) >> 5
      const size = (packet[at] as number) & 0x1f
      at += 1
      if (service === 7 && size > 0) service = (packet[at++] ?? 0) & 0x3f
      // A null block ends the packet.
      if (service === 0 || size === 0) break
      const block = packet.slice(at, Math.min(at + size, end))
      at += size
      const letters = block.filter((code) => (code >= 0x20 && code < 0x80) || code >= 0xa0).length
      if (letters === 0) continue
      says = true
      this.services.set(service, (this.services.get(service) ?? 0) + letters)
    }
    return says
  }
}

/** Letters of a pair of bytes without their parity (CEA-608-E, tables): control codes begin with 0x10 to 0x1f. */
function charactersOf(first: number, second: number): number {
  if (first >= 0x20) return second >= 0x20 ? 2 : 1
  // Special and extended letters: 11 to 13, or 19 to 1b, with a second byte of 20 to 3f.
  const isSpecial = (first & 0x77) === 0x11 && second >= 0x30 && second < 0x40
  const isExtended = ((first & 0x77) === 0x12 || (first & 0x77) === 0x13) && second >= 0x20 && second < 0x40
  return isSpecial || isExtended ? 1 : 0
}
