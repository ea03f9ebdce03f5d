import { statSync } from 'node:fs'
import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING } from 'node-av/constants'
import { type CodecContext, FormatContext, Packet, type Stream } from 'node-av/lib'
import { ok } from './ffmpeg'
import type { WrittenPiece } from './protocol'

/** The first piece comes soon; each is twice as long as the one before, up to the longest. */
const FIRST_SECONDS = 1
const LONGEST_SECONDS = 8

/**
 * Writes the packets of a copy a second time, as they are coded, as pieces that can be played before the copy is complete:
 * fragments of MP4 (ISO/IEC 14496-12, 8.8), each from a key frame on, with the times of the copy. The first begins with the
 * description of the streams. Without B frames and without the samples that a coder of AAC puts before the first, all times
 * begin at 0, so that no edit list is needed. The copy does not depend on them: after a fault there are no more.
 */
export class PieceWriter {
  private readonly output = new FormatContext()
  private readonly packet = new Packet()
  private readonly streams: { stream: Stream; encoder: CodecContext }[] = []
  private number = 0
  private from = 0
  private start = 0
  private length = FIRST_SECONDS
  private hasFailed = false

  constructor(
    private readonly path: string,
    private readonly report: (piece: WrittenPiece) => void,
  ) {
    ok(this.output.allocOutputContext2(null, 'mp4', path), 'the pieces cannot be begun')
    this.packet.alloc()
  }

  /** A stream of what this encoder gives. */
  add(encoder: CodecContext): void {
    const stream = this.output.newStream(null)
    ok(stream.codecpar.fromContext(encoder), 'the pieces cannot be begun')
    stream.timeBase = encoder.timeBase
    stream.avgFrameRate = encoder.framerate
    this.streams.push({ stream, encoder })
  }

  begin(): void {
    this.attempt(() => this.writeHead())
  }

  /** A packet as its encoder gave it; it stays the caller's. */
  write(packet: Packet, encoder: CodecContext): void {
    this.attempt(() => this.writePacket(packet, encoder))
  }

  /** The last piece. @param end seconds at which the video ends */
  end(end: number): void {
    this.attempt(() => this.cut(end))
  }

  free(): void {
    this.packet.free()
    this.output.closeOutputSync()
    this.output.freeContext()
  }

  private attempt(work: () => void): void {
    if (this.hasFailed) return
    try {
      work()
    } catch {
      this.hasFailed = true
    }
  }

  private writeHead(): void {
    const options = {
      movflags: '+empty_moov+default_base_moof+frag_custom+frag_discont',
      use_editlist: '0',
      avoid_negative_ts: 'disabled',
    }
    for (const [name, value] of Object.entries(options))
      ok(this.output.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'the pieces')
    ok(this.output.openOutputSync(), 'the pieces cannot be written')
    ok(this.output.writeHeaderSync(), 'the pieces cannot be written')
  }

  private writePacket(packet: Packet, encoder: CodecContext): void {
    const index = this.streams.findIndex((each) => each.encoder === encoder)
    const stream = this.streams[index]?.stream
    if (!stream || packet.pts < 0n) return
    const seconds = (Number(packet.pts) * encoder.timeBase.num) / encoder.timeBase.den
    // The first stream is the video.
    if (index === 0 && packet.isKeyframe && seconds >= this.start + this.length) this.cut(seconds)
    ok(this.packet.ref(packet), 'the pieces cannot be written')
    this.packet.rescaleTs(encoder.timeBase, stream.timeBase)
    this.packet.streamIndex = index
    ok(this.output.writeFrameSync(this.packet), 'the pieces cannot be written')
    this.packet.unref()
  }

  /** @param end seconds at which the next piece begins */
  private cut(end: number): void {
    ok(this.output.writeFrameSync(null), 'the pieces cannot be written')
    this.output.flushSync()
    const to = statSync(this.path).size
    if (to > this.from && end > this.start) {
      this.report({ number: this.number, from: this.from, to, start: this.start, end })
      this.number += 1
    }
    this.from = to
    this.start = end
    this.length = Math.min(LONGEST_SECONDS, this.length * 2)
  }
}
