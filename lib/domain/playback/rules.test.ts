import { expect, test } from 'vitest'
import { copyWanted, needsPlaybackCopy } from './rules'

const h264 = { codec: 'h264', pixelFormat: 'yuv420p', audio: [{ codec: 'aac' }] }

test.each([
  ['H.264 in MP4', 'video/mp4', h264],
  ['H.264 in QuickTime', 'video/quicktime', h264],
  ['H.264 without audio', 'video/mp4', { ...h264, audio: [] }],
  ['AV1 with 10 bits in MP4', 'video/mp4', { codec: 'av1', pixelFormat: 'yuv420p10le', audio: [{ codec: 'opus' }] }],
  ['VP8 in WebM', 'video/webm', { codec: 'vp8', pixel_format: 'yuv420p', audio: [{ codec: 'vorbis' }] }],
  ['VP9 in WebM', 'video/webm', { codec: 'vp9', pixelFormat: 'yuv420p', audio: [{ codec: 'opus' }] }],
  ['what was not measured', 'video/mp4', {}],
  ['PCM with 24 bits in WAV', 'audio/wav', { audio: [{ codec: 'pcm_s24le' }] }],
  ['MP3', 'audio/mpeg', { audio: [{ codec: 'mp3' }] }],
  ['an image', 'image/png', {}],
])('%s is played as it is', (_what, mediaType, media) => {
  expect(needsPlaybackCopy(mediaType, media)).toBe(false)
})

test.each([
  ['ProRes', 'video/quicktime', { codec: 'prores', pixelFormat: 'yuv422p10le' }],
  ['DNxHR', 'video/quicktime', { codec: 'dnxhd', pixelFormat: 'yuv422p' }],
  ['H.265', 'video/mp4', { codec: 'hevc', pixel_format: 'yuv420p10le' }],
  ['H.264 with 10 bits', 'video/mp4', { ...h264, pixelFormat: 'yuv420p10le' }],
  ['H.264 in 4:2:2', 'video/mp4', { codec: 'h264', pixel_format: 'yuv422p' }],
  ['H.264 with PCM, which would be silent', 'video/quicktime', { ...h264, audio: [{ codec: 'pcm_s16le' }] }],
  ['H.264 with AC-3', 'video/mp4', { ...h264, audio: [{ codec: 'ac3' }] }],
  ['Matroska', 'video/x-matroska', h264],
  ['MXF', 'application/mxf', { codec: 'mpeg2video' }],
  ['Theora', 'video/ogg', { codec: 'theora' }],
  ['AIFF', 'audio/aiff', { audio: [{ codec: 'pcm_s16be' }] }],
  ['ALAC', 'audio/mp4', { audio: [{ codec: 'alac' }] }],
  ['WAV with 64 bits', 'audio/wav', { audio: [{ codec: 'pcm_f64le' }] }],
])('%s needs a copy', (_what, mediaType, media) => {
  expect(needsPlaybackCopy(mediaType, media)).toBe(true)
})

const stereo = { codec: 'pcm_s16le', channels: 2 }
test.each([
  ['nothing of stereo in WAV', 'audio/wav', { audio: [stereo] }, 1_000_000, null],
  ['the audio of 5.1 in WAV', 'audio/wav', { audio: [{ ...stereo, channels: 6 }] }, 1_000_000, 'audio'],
  ['the audio of a long WAV', 'audio/wav', { audio: [stereo] }, 150_000_001, 'audio'],
  [
    'the audio of H.264 with two tracks',
    'video/mp4',
    {
      ...h264,
      audio: [
        { codec: 'aac', channels: 2 },
        { codec: 'aac', channels: 1 },
      ],
    },
    1,
    'audio',
  ],
  ['nothing of a large video without audio', 'video/mp4', { ...h264, audio: [] }, 900_000_000, null],
  ['all of ProRes', 'video/quicktime', { codec: 'prores', audio: [{ ...stereo, channels: 6 }] }, 1, 'playback'],
  ['nothing of a large image', 'image/tiff', {}, 900_000_000, null],
] as const)('%s is copied', (_what, mediaType, media, size, wanted) => {
  expect(copyWanted(mediaType, media, size)).toBe(wanted)
})
