import type { Playback } from '@/lib/domain/playback/schema'
import { mediaSourceClass } from './media-source'

/** What of a copy is there while it is made. */
export type Pieces = NonNullable<Playback['pieces']>

/** Pieces are loaded so far ahead of where the player is, and kept so far behind it, in seconds: a tab holds little more. */
const AHEAD = 30
const BEHIND = 20
const RETRY_MS = 2_000
/** Of what is loaded so many seconds, at the speed of playing, are left unplayed while more is awaited. */
const LEFT = 0.15

/**
 * Plays the pieces of a copy in a `video` element, as they come (Media Source Extensions). What could not be
 * loaded is tried again, and the caller asks what has become of the copy.
 */
export class GrowingMedia {
  private readonly source: MediaSource
  private readonly url: string
  private buffer: SourceBuffer | null = null
  private readonly loaded = new Set<number>()
  private isBusy = false
  private isClosed = false
  private again: ReturnType<typeof setTimeout> | undefined
  /** The speed of playing while the clock is stopped. */
  private heldRate: number | null = null
  private watching = 0

  constructor(
    private readonly media: HTMLMediaElement,
    private pieces: Pieces,
    private readonly onFailed: () => void,
  ) {
    const Source = mediaSourceClass()
    if (!Source) throw new Error('This browser plays no pieces.')
    this.source = new Source()
    this.url = URL.createObjectURL(this.source)
    this.source.addEventListener('sourceopen', this.fill, { once: true })
    // Else Safari waits for a source that another device could play.
    media.disableRemotePlayback = true
    media.addEventListener('timeupdate', this.fill)
    for (const event of ['seeking', 'waiting'] as const) media.addEventListener(event, this.refill)
    const { currentTime } = media
    media.src = this.url
    // Where it is to begin.
    media.currentTime = currentTime
    this.watch()
  }

  /** More pieces are there. */
  update(pieces: Pieces): void {
    this.pieces = pieces
    this.fill()
  }

  /** Lets go of the element, which may have another source by now. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.again)
    cancelAnimationFrame(this.watching)
    this.goOn()
    this.media.removeEventListener('timeupdate', this.fill)
    for (const event of ['seeking', 'waiting'] as const) this.media.removeEventListener(event, this.refill)
    URL.revokeObjectURL(this.url)
  }

  /** Loads the next piece that is wanted, and goes on until none is. */
  private readonly fill = (): void => {
    if (this.isBusy || this.isClosed || this.source.readyState !== 'open') return
    const number = this.wanted()
    if (number === null) return
    this.isBusy = true
    this.load(number)
      .then(() => {
        this.isBusy = false
        this.fill()
      })
      .catch(() => {
        if (this.isClosed) return
        this.onFailed()
        this.again = setTimeout(() => {
          this.isBusy = false
          this.fill()
        }, RETRY_MS)
      })
  }

  /** A browser may have dropped what it is to show now. */
  private readonly refill = (): void => {
    const { currentTime } = this.media
    if (this.loadedFrom(currentTime) === 0) this.forget((start, end) => start <= currentTime && currentTime < end)
    this.fill()
  }

  /** Seconds that are loaded from a time on. */
  private loadedFrom(time: number): number {
    const { buffered } = this.media
    for (let at = 0; at < buffered.length; at += 1)
      if (buffered.start(at) <= time && time < buffered.end(at)) return buffered.end(at) - time
    return 0
  }

  /**
   * Stops the clock before the end of what is loaded, and lets it go on with more. Browsers let it run on while they wait,
   * and its time would be that of another frame than the one that is seen.
   */
  private readonly watch = (): void => {
    this.watching = requestAnimationFrame(this.watch)
    const { media } = this
    if (this.heldRate !== null && media.playbackRate !== 0) this.heldRate = null
    const rate = this.heldRate ?? media.playbackRate
    const left = this.loadedFrom(media.currentTime)
    if (this.heldRate !== null && left > 2 * LEFT * rate) this.goOn()
    else if (this.heldRate === null && !media.paused && !media.seeking && left < LEFT * rate) {
      this.heldRate = rate
      media.playbackRate = 0
    }
  }

  private goOn(): void {
    if (this.heldRate !== null && this.media.playbackRate === 0) this.media.playbackRate = this.heldRate
    this.heldRate = null
  }

  private forget(isGone: (start: number, end: number) => boolean): void {
    for (const number of this.loaded)
      if (isGone(this.pieces.starts[number] ?? 0, this.endOf(number))) this.loaded.delete(number)
  }

  private endOf(number: number): number {
    return this.pieces.starts[number + 1] ?? this.pieces.end
  }

  /** The first piece describes the streams. After it, those around the place of the player that are not loaded. */
  private wanted(): number | null {
    if (this.buffer === null) return this.pieces.starts.length > 0 ? 0 : null
    const { currentTime } = this.media
    const number = this.pieces.starts.findIndex(
      (start, at) => this.endOf(at) > currentTime && start < currentTime + AHEAD && !this.loaded.has(at),
    )
    return number < 0 ? null : number
  }

  private async load(number: number): Promise<void> {
    const response = await fetch(`${new URL(this.pieces.url, location.href).pathname}/${number}`)
    if (!response.ok) throw new Error(`Piece ${number} is gone.`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (this.isClosed) return
    this.buffer ??= this.open(bytes)
    await this.drop(this.buffer)
    await settled(this.buffer, (buffer) => buffer.appendBuffer(bytes))
    this.loaded.add(number)
  }

  private open(first: Uint8Array): SourceBuffer {
    const buffer = this.source.addSourceBuffer(`video/mp4; codecs="${codecsOf(first)}"`)
    this.source.duration = this.pieces.duration_seconds
    return buffer
  }

  /** What lies far from the place of the player makes room. */
  private async drop(buffer: SourceBuffer): Promise<void> {
    const from = this.media.currentTime - BEHIND
    const to = this.media.currentTime + 2 * AHEAD
    this.forget((start, end) => start < from || end > to)
    if (from > 0) await settled(buffer, () => buffer.remove(0, from))
    if (to < this.source.duration) await settled(buffer, () => buffer.remove(to, Number.POSITIVE_INFINITY))
  }
}

/** Waits until the buffer has done what it is asked for. */
function settled(buffer: SourceBuffer, act: (buffer: SourceBuffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (event: Event) => {
      for (const type of ['updateend', 'error', 'abort'] as const) buffer.removeEventListener(type, end)
      if (event.type === 'updateend') resolve()
      else reject(new Error(`The buffer reports: ${event.type}.`))
    }
    for (const type of ['updateend', 'error', 'abort'] as const) buffer.addEventListener(type, end)
    act(buffer)
  })
}

/** As the first piece says (RFC 6381): profile and level of H.264 stand in its `avcC` box (ISO/IEC 14496-15, 5.3.3.1). */
export function codecsOf(first: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(first.subarray(0, 4096))
  const at = text.indexOf('avcC')
  if (at < 0) throw new Error('The first piece describes no video.')
  const digits = [...first.subarray(at + 5, at + 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.includes('mp4a') ? `avc1.${digits},mp4a.40.2` : `avc1.${digits}`
}
