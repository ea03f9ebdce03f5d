import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameVideoCodec } from '../recipe'
import { anyOf } from '../wording'

const LABELS: Record<string, string> = {
  h264: 'H.264',
  hevc: 'H.265',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  prores: 'ProRes',
  dnxhd: 'DNxHD',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4 Part 2',
}
const label = (codec: string) => LABELS[codec] ?? codec

const words = (title: string, source: string) =>
  z
    .array(z.string().min(1))
    .default([])
    .meta({ title, source: `Reasoned: any unless set; ${source}` })

export const videoCodecCheck = mediaCheck({
  id: 'video_codec_check',
  label: 'Video codec',
  kinds: ['video'],
  describe: 'The coding of the video, its profile and its pixel format, as the stream states them.',
  severity: 'blocking',
  thresholds: z.strictObject({
    codecs: words('Allowed codecs', 'h264 for the web, prores for masters'),
    profiles: words('Allowed profiles', 'High for H.264 on the web, HQ for ProRes'),
    pixel_formats: words('Allowed pixel formats', 'yuv420p is what every browser plays'),
  }),
  run({ media, name }, { codecs, profiles, pixel_formats }) {
    if (codecs.length + profiles.length + pixel_formats.length === 0) {
      return skip(`The video is ${label(media.codec)}; no codec is set for this media category.`)
    }
    const is = [label(media.codec), media.profile, media.pixelFormat].filter(Boolean).join(', ')
    const expected = [anyOf(codecs.map(label)), anyOf(profiles), anyOf(pixel_formats)].filter(Boolean).join(', ')
    const extras = { measured: is, expected }
    const codec = codecs.includes(media.codec) || codecs.length === 0 ? media.codec : (codecs[0] ?? media.codec)
    const encoder = sameVideoCodec(codec).trim()
    const format = pixel_formats[0] ?? (codec === 'h264' ? 'yuv420p' : null)
    const fix = encoder
      ? ffmpeg(name, `${encoder}${format && /^\w+$/.test(format) ? ` -pix_fmt ${format}` : ''} -c:a copy`)
      : `Export “${name}” from the edit as ${expected}.`
    const reject = (has: string, wanted: string) => fail(`${has}; ${wanted} is wanted.`, { ...extras, fix })

    if (codecs.length > 0 && !codecs.includes(media.codec)) {
      return reject(`The video is ${label(media.codec)}`, anyOf(codecs.map(label)))
    }
    if (profiles.length > 0 && (media.profile === null || !profiles.includes(media.profile))) {
      return reject(`The ${label(media.codec)} profile is ${media.profile ?? 'not stated'}`, anyOf(profiles))
    }
    if (pixel_formats.length > 0 && (media.pixelFormat === null || !pixel_formats.includes(media.pixelFormat))) {
      return reject(`The pixel format is ${media.pixelFormat ?? 'not stated'}`, anyOf(pixel_formats))
    }
    return pass(`The video is ${is}, as wanted.`, extras)
  },
})
