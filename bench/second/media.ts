import { isFailure, type Subject } from '@/lib/checks/check'
import type { Span } from '@/lib/media/measurements'
import { Comparison, isIntact, run } from './compare'

/** Video and audio beside ffprobe and the filters of FFmpeg: blackdetect, freezedetect, idet, ebur128. */

export const MEDIA_PROGRAMS = ['ffprobe', 'ffmpeg']

/** FFmpeg looks for stretches of so long; somewhat longer ones are compared, as two engines put their ends a frame apart. */
const BLACK_SECONDS = 0.2
const STILL_SECONDS = 1
/** LU and dB. EBU Tech 3341 allows a meter 0.1 LU, and a true peak from 0.4 dB below to 0.2 dB above. */
const LOUDNESS_LU = 0.15
const RANGE_LU = 1
const PEAK_DB = 0.4

type Probe = { streams?: ProbeStream[]; format?: { duration?: string } }
type ProbeStream = {
  codec_type: string
  codec_name?: string
  width?: number
  height?: number
  pix_fmt?: string
  avg_frame_rate?: string
  r_frame_rate?: string
  nb_read_frames?: string
  color_primaries?: string
  color_transfer?: string
  color_space?: string
  sample_rate?: string
  channels?: number
  disposition?: { attached_pic?: number }
  side_data_list?: { rotation?: number }[]
}

export async function compareMedia(file: string, { media, measures, integrity }: Subject): Promise<Comparison> {
  const comparison = new Comparison()
  const probed = await run('ffprobe', [
    '-v',
    'quiet',
    '-of',
    'json',
    '-show_streams',
    '-show_format',
    '-count_frames',
    file,
  ])
  const probe: Probe = probed?.code === 0 ? JSON.parse(probed.text) : {}
  const streams = probe.streams ?? []
  const decoded = await run('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', file, '-f', 'null', '-'])
  comparison.same('is intact', isIntact(integrity), decoded && decoded.code === 0 && decoded.text === '')
  if (isFailure(media) || (media.kind !== 'video' && media.kind !== 'audio')) return comparison

  const picture = streams.find((each) => each.codec_type === 'video' && !each.disposition?.attached_pic)
  if (media.kind === 'video' && picture) {
    comparison.same('video codec', media.codec, picture.codec_name)
    comparison.same('width', media.width, picture.width)
    comparison.same('height', media.height, picture.height)
    comparison.same('pixel format', media.pixelFormat, picture.pix_fmt)
    comparison.near(
      'frame rate',
      media.frameRate.average,
      ratioOf(media.frameRate.constant ? picture.r_frame_rate : picture.avg_frame_rate),
      0.02,
    )
    comparison.same('frames', media.frameCount, picture.nb_read_frames)
    comparison.same('rotation', media.rotation, clockwise(picture))
    comparison.same('primaries', media.colour.primaries, known(picture.color_primaries))
    comparison.same('transfer', media.colour.transfer, known(picture.color_transfer))
    comparison.same('matrix', media.colour.matrix, known(picture.color_space))
  }
  comparison.near('duration', media.durationSeconds, Number(probe.format?.duration), 0.05)
  const heard = streams.filter(({ codec_type }) => codec_type === 'audio')
  comparison.same('audio tracks', media.audio.length, heard.length)
  for (const [index, theirs] of heard.entries()) {
    comparison.same('audio codec', media.audio[index]?.codec, theirs.codec_name)
    comparison.same('sample rate', media.audio[index]?.sampleRate, theirs.sample_rate)
    comparison.same('channels', media.audio[index]?.channels, theirs.channels)
  }

  const { video, audio } = measures
  if (video && !isFailure(video) && picture) {
    const filters = `blackdetect=d=${BLACK_SECONDS}:pic_th=0.98:pix_th=0.1,freezedetect=n=0.0003:d=${STILL_SECONDS},idet`
    const said = (await run('ffmpeg', filterArguments(file, ['-map', '0:V:0', '-vf', filters])))?.text ?? ''
    const black = spansOf(said, /black_start:(\S+) black_end:(\S+)/g)
    comparison.near('black, seconds', total(video.black, 2 * BLACK_SECONDS), total(black, 2 * BLACK_SECONDS), 0.1)
    const still = stillOf(said, video.durationSeconds)
    // What stands still in black is black here, and both there.
    const ours = [...video.frozen, ...video.black.filter(({ start, end }) => end - start > STILL_SECONDS)]
    comparison.near('still, seconds', total(ours, 1.25 * STILL_SECONDS), total(still, 1.25 * STILL_SECONDS), 0.2)
    const { fields } = video
    const isDecided = fields && fields.top + fields.bottom + fields.progressive > 3
    comparison.same(
      'fields',
      isDecided ? (fields.top + fields.bottom > fields.progressive ? 'two' : 'one') : null,
      fieldsOf(said),
    )
  }
  if (audio && !isFailure(audio)) {
    for (const [index, { loudness }] of audio.tracks.entries()) {
      const map = ['-map', `0:a:${index}`, '-af', 'ebur128=peak=true:framelog=verbose']
      const said = (await run('ffmpeg', filterArguments(file, map)))?.text ?? ''
      const summary = said.slice(said.lastIndexOf('Summary:'))
      const [integrated, range, peak] = [/\bI: +(\S+) LUFS/, /LRA: +(\S+) LU\b/, /Peak: +(\S+) dBFS/].map((each) =>
        Number(each.exec(summary)?.[1] ?? Number.NaN),
      )
      // FFmpeg writes -70 where nothing is above the absolute gate.
      comparison.near('loudness, LUFS', loudness.integrated, integrated === -70 ? null : integrated, LOUDNESS_LU)
      comparison.near('loudness range, LU', loudness.range, range, RANGE_LU)
      comparison.near('true peak, dBTP', loudness.truePeak, peak, PEAK_DB)
    }
  }
  return comparison
}

const filterArguments = (file: string, filters: readonly string[]) => [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'info', '-i', file],
  ...filters,
  ...['-f', 'null', '-'],
]
const known = (name?: string) => (name === 'unknown' || name === 'unspecified' ? null : name)

export function ratioOf(text?: string): number | null {
  const [over, under] = (text ?? '').split('/').map(Number)
  return over && under ? over / under : null
}

/** ffprobe counts degrees against the clock, from -180 to 180. */
const clockwise = ({ side_data_list = [] }: ProbeStream) =>
  (360 - (side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0)) % 360

export const spansOf = (said: string, pattern: RegExp): Span[] =>
  [...said.matchAll(pattern)].map(([, start, end]) => ({ start: Number(start), end: Number(end) }))

/** freezedetect says the end in a line of its own, and none where the video ends. */
export function stillOf(said: string, end: number): Span[] {
  const [starts, ends] = ['start', 'end'].map((name) =>
    [...said.matchAll(new RegExp(`freeze_${name}: (\\S+)`, 'g'))].map(([, time]) => Number(time)),
  )
  return (starts ?? []).map((start, index) => ({ start, end: ends?.[index] ?? end }))
}

const total = (spans: readonly Span[], least: number) =>
  spans.reduce((sum, { start, end }) => sum + (end - start >= least - 1e-6 ? end - start : 0), 0)

/** By its count over several frames: one or two moments a frame; null where it decided too few. */
export function fieldsOf(said: string): 'one' | 'two' | null {
  const counts = /Multi frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+)/.exec(said)
  if (!counts) return null
  const [top, bottom, progressive] = counts.slice(1).map(Number) as [number, number, number]
  if (top + bottom + progressive < 4) return null
  return top + bottom > progressive ? 'two' : 'one'
}
