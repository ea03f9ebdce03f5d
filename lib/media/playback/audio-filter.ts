import { AV_CHANNEL_LAYOUT_STEREO } from 'node-av/constants'
import {
  avChannelLayoutDescribe,
  avGetSampleFmtName,
  type CodecContext,
  type FilterContext,
  FilterGraph,
  Frame,
  type Stream,
} from 'node-av/lib'
import { ok, received } from './ffmpeg'
import { addFilter, chain } from './graph'

/** Samples a second of a copy. */
export const AUDIO_RATE = 48_000
/** Samples of a frame of AAC. */
const FRAME = 1024

/** Brings audio to two channels at 48 kHz, from the time 0 on and without gaps. */
export class AudioFilter {
  static readonly layout = AV_CHANNEL_LAYOUT_STEREO
  private readonly graph = new FilterGraph()
  private readonly inputs: FilterContext[]
  private readonly sink: FilterContext
  private readonly out = new Frame()

  /**
   * @param start seconds of the file at which the copy begins
   * @param channels which of one source are heard, left and right, from 0; null: all, as they are laid out
   */
  constructor(
    private readonly sources: readonly { stream: Stream; decoder: CodecContext }[],
    private readonly start: number,
    channels: readonly [left: number, right: number] | null = null,
  ) {
    this.graph.alloc()
    this.out.alloc()
    this.inputs = sources.map(({ stream: { codecpar, timeBase }, decoder }) =>
      addFilter(
        this.graph,
        'abuffer',
        `time_base=${timeBase.num}/${timeBase.den}:sample_rate=${codecpar.sampleRate}:sample_fmt=${avGetSampleFmtName(decoder.sampleFormat)}:channel_layout=${layoutOf(codecpar)}`,
      ),
    )
    const merge = this.inputs.length > 1 ? addFilter(this.graph, 'amerge', `inputs=${this.inputs.length}`) : null
    const choose = channels && addFilter(this.graph, 'pan', `stereo|c0=c${channels[0]}|c1=c${channels[1]}`)
    const resample = addFilter(
      this.graph,
      'aresample',
      `${AUDIO_RATE}:out_sample_fmt=fltp:out_chlayout=stereo:async=1:first_pts=0`,
    )
    const cut = addFilter(this.graph, 'asetnsamples', `n=${FRAME}:p=0`)
    this.sink = addFilter(this.graph, 'abuffersink')
    const [first] = this.inputs
    if (merge) for (const [index, input] of this.inputs.entries()) ok(input.link(0, merge, index), 'the audio')
    chain([...(merge ? [merge] : first ? [first] : []), ...(choose ? [choose] : []), resample, cut, this.sink])
    ok(this.graph.configSync(), 'the audio cannot be converted')
  }

  /** A decoded frame of one of the sources, or null after its last. */
  take(index: number, frame: Frame | null, use: (heard: Frame) => void): void {
    const source = this.sources[index]
    if (frame && source) {
      const { num, den } = source.stream.timeBase
      const time = frame.bestEffortTimestamp
      if (time > -(2n ** 62n)) frame.pts = time - BigInt(Math.round((this.start * den) / num))
    }
    ok(this.inputs[index]?.buffersrcAddFrameSync(frame) ?? -1, 'the audio cannot be converted')
    while (received(this.sink.buffersinkGetFrameSync(this.out), 'the audio cannot be converted')) {
      use(this.out)
      this.out.unref()
    }
  }

  free(): void {
    this.out.free()
    this.graph.free()
  }
}

/** Files that do not say how their channels are laid out have the usual order of so many. */
function layoutOf({ channelLayout, channels }: Stream['codecpar']): string {
  const described = avChannelLayoutDescribe(channelLayout)
  return described && !/^\d+ channels?$/.test(described) ? described : `${channels}c`
}
