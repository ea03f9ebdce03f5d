import { video } from '../../testing'
import { videoCodecCheck } from '../../video/video-codec-check'
import { specOf } from '../spec'

const web = { codecs: ['h264'], profiles: ['High', 'Main'], pixel_formats: ['yuv420p'] }

export const spec = specOf(videoCodecCheck, {
  good: [{ name: 'codec, profile and pixel format as wanted', given: video(), thresholds: web }],
  bad: [
    {
      name: 'another codec',
      given: video({ codec: 'hevc' }),
      thresholds: web,
      details: /is H.265; H.264 is wanted/,
      fix: /-c:v libx264 -crf 16 -pix_fmt yuv420p -c:a copy/,
    },
    {
      name: 'another profile',
      given: video({ profile: 'High 10' }),
      thresholds: web,
      details: /profile is High 10; High or Main/,
    },
    {
      name: 'another pixel format',
      given: video({ pixelFormat: 'yuv444p' }),
      thresholds: web,
      details: /yuv444p; yuv420p/,
    },
  ],
  skipped: [{ name: 'nothing is set', given: video() }],
})
