import { describe } from 'vitest'
import { channelLayoutCheck } from '../audio/channel-layout-check'
import { sampleRateCheck } from '../audio/sample-rate-check'
import { audioFacts, audioStream, checkTable, subject, videoFacts } from '../testing'
import { audioPresenceCheck } from './audio-presence-check'
import { avSyncLengthCheck } from './av-sync-length-check'
import { bitrateCheck } from './bitrate-check'
import { durationCheck } from './duration-check'
import { fastStartCheck } from './fast-start-check'
import { frameRateCheck } from './frame-rate-check'
import { scanTypeCheck } from './scan-type-check'
import { videoCodecCheck } from './video-codec-check'

const video = (changes: Parameters<typeof videoFacts>[0] = {}) => subject(videoFacts(changes))
const audio = (changes: Parameters<typeof audioFacts>[0] = {}) => subject(audioFacts(changes))

describe('the duration', () => {
  const spots = { lengths_seconds: [15, 30] }
  const lasting = (videoDurationSeconds: number) =>
    video({ videoDurationSeconds, durationSeconds: videoDurationSeconds })
  checkTable(durationCheck, [
    { it: 'is not evaluated when nobody says what is wanted', given: lasting(15), says: 'skipped' },
    { it: 'passes one frame over', given: lasting(15.04), thresholds: spots, says: 'pass' },
    {
      it: 'fails two frames over, with the cut',
      given: lasting(15.08),
      thresholds: spots,
      says: 'fail',
      details: /runs 15.08 s; 15 s or 30 s is wanted, within 0.04 s/,
      fix: 'ffmpeg -i "spot.mp4" -t 15 -c:v libx264 -crf 16 -c:a aac -b:a 256k "fixed-spot.mp4"',
    },
    {
      it: 'cannot be cut when it is too short',
      given: lasting(29.5),
      thresholds: spots,
      says: 'fail',
      fix: /from the edit at 30 s: 0.5 s are missing/,
    },
    {
      it: 'has the tolerance that is set',
      given: lasting(15.08),
      thresholds: { ...spots, tolerance_seconds: 0.1 },
      says: 'pass',
    },
    {
      it: 'counts the picture, not padding of the sound',
      given: video({ durationSeconds: 15.5, videoDurationSeconds: 15 }),
      thresholds: spots,
      says: 'pass',
    },
    { it: 'passes at the bounds', given: lasting(15), thresholds: { min_seconds: 15, max_seconds: 15 }, says: 'pass' },
    {
      it: 'fails below',
      given: lasting(14.99),
      thresholds: { min_seconds: 15 },
      says: 'fail',
      details: /at least 15 s/,
    },
    {
      it: 'fails above',
      given: lasting(15.01),
      thresholds: { max_seconds: 15 },
      says: 'fail',
      details: /at most 15 s/,
    },
    {
      it: 'goes by the name where nothing is set',
      given: { ...lasting(15.4), claims: { durationSeconds: 15 } },
      says: 'pass',
    },
    {
      it: 'fails by the name',
      given: { ...lasting(20), claims: { durationSeconds: 15 } },
      says: 'fail',
      details: /the name says 15 s/,
    },
    {
      it: 'of sound is evaluated as well',
      given: audio({ durationSeconds: 30.2 }),
      thresholds: spots,
      says: 'fail',
      details: /The sound runs 30.2 s/,
      fix: /-t 30 -c:a pcm_s16le/,
    },
  ])
})

describe('the frame rate', () => {
  const rate = (average: number, constant = true, nominal: number | null = average) =>
    video({ frameRate: { average, nominal, constant } })
  checkTable(frameRateCheck, [
    {
      it: 'passes when even and nothing is set',
      given: rate(25),
      says: 'pass',
      details: /evenly spaced; a constant rate is wanted/,
    },
    {
      it: 'is a warning when it varies',
      given: rate(28.4, false, 30),
      says: 'warning',
      details: /unevenly, 28.4 frames per second on average/,
      fix: /fps=30 /,
    },
    {
      it: 'may vary where that is allowed',
      given: rate(28.4, false),
      thresholds: { constant: false },
      says: 'skipped',
    },
    { it: 'passes when listed', given: rate(30000 / 1001), thresholds: { rates: [29.97] }, says: 'pass' },
    {
      it: 'tells 29.97 from 30',
      given: rate(30000 / 1001),
      thresholds: { rates: [30] },
      says: 'fail',
      details: /29.97 frames per second; 30 is wanted/,
    },
    {
      it: 'fixes to the exact broadcast rate',
      given: rate(25),
      thresholds: { rates: [23.976] },
      says: 'fail',
      fix: /fps=24000\/1001/,
    },
    {
      it: 'goes by the name, which rounds',
      given: { ...rate(30000 / 1001), claims: { framesPerSecond: 30 } },
      says: 'pass',
    },
    {
      it: 'fails by the name',
      given: { ...rate(25), claims: { framesPerSecond: 30 } },
      says: 'fail',
      details: /the name says 30/,
    },
  ])
})

describe('the video codec', () => {
  const web = { codecs: ['h264'], profiles: ['High', 'Main'], pixel_formats: ['yuv420p'] }
  checkTable(videoCodecCheck, [
    { it: 'is not evaluated where none is set', given: video(), says: 'skipped' },
    { it: 'passes when all is as wanted', given: video(), thresholds: web, says: 'pass' },
    {
      it: 'fails by codec',
      given: video({ codec: 'hevc' }),
      thresholds: web,
      says: 'fail',
      details: /is H.265; H.264 is wanted/,
      fix: /-c:v libx264 -crf 16 -pix_fmt yuv420p -c:a copy/,
    },
    {
      it: 'fails by profile',
      given: video({ profile: 'High 10' }),
      thresholds: web,
      says: 'fail',
      details: /profile is High 10; High or Main/,
    },
    {
      it: 'fails by pixel format',
      given: video({ pixelFormat: 'yuv444p' }),
      thresholds: web,
      says: 'fail',
      details: /yuv444p; yuv420p/,
    },
  ])
})

describe('the bit rate', () => {
  const ctv = { min_kbps: 8000, max_kbps: 30_000 }
  checkTable(bitrateCheck, [
    { it: 'is not evaluated where none is set', given: video(), says: 'skipped' },
    { it: 'passes at the least', given: video({ videoBitrate: 8_000_000 }), thresholds: ctv, says: 'pass' },
    {
      it: 'fails below',
      given: video({ videoBitrate: 7_999_000 }),
      thresholds: ctv,
      says: 'fail',
      details: /8 Mbit\/s to 30 Mbit\/s is wanted/,
    },
    { it: 'passes at the most', given: video({ videoBitrate: 30_000_000 }), thresholds: ctv, says: 'pass' },
    { it: 'fails above', given: video({ videoBitrate: 30_001_000 }), thresholds: ctv, says: 'fail' },
    {
      it: 'is that of the file where the stream states none',
      given: video({ videoBitrate: null }),
      thresholds: ctv,
      says: 'pass',
      details: /The file runs at 8.2 Mbit/,
    },
    {
      it: 'of sound is that of the file',
      given: audio({ bitrate: 96_000 }),
      thresholds: { min_kbps: 128 },
      says: 'fail',
      details: /The sound runs at 96 kbit/,
    },
  ])
})

describe('the scan type', () => {
  const interlaced = { scanType: 'interlaced', fieldOrder: 'tff' } as const
  checkTable(scanTypeCheck, [
    { it: 'passes when progressive', given: video(), says: 'pass' },
    {
      it: 'fails when interlaced',
      given: video(interlaced),
      says: 'fail',
      details: /interlaced, top field first; progressive/,
      fix: /bwdif/,
    },
    { it: 'is not guessed', given: video({ scanType: 'unknown' }), says: 'skipped' },
    {
      it: 'may have to be interlaced',
      given: video(interlaced),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
      says: 'pass',
    },
    {
      it: 'fails when progressive where interlaced is wanted',
      given: video(),
      thresholds: { wanted: 'interlaced' },
      says: 'fail',
    },
    {
      it: 'fails with the other field first',
      given: video({ ...interlaced, fieldOrder: 'bff' }),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
      says: 'fail',
      details: /bottom field first; top field first/,
    },
    { it: 'may be left open', given: video(interlaced), thresholds: { wanted: 'any' }, says: 'skipped' },
  ])
})

describe('the sound track of a video', () => {
  const silent = video({ audio: [] })
  const twice = video({ audio: [audioStream(), audioStream()] })
  checkTable(audioPresenceCheck, [
    { it: 'is not evaluated where it does not matter', given: silent, says: 'skipped' },
    { it: 'passes where it is required', given: video(), thresholds: { rule: 'required' }, says: 'pass' },
    { it: 'fails where it is missing', given: silent, thresholds: { rule: 'required' }, says: 'fail' },
    { it: 'passes where none may be', given: silent, thresholds: { rule: 'forbidden' }, says: 'pass' },
    {
      it: 'fails where one is',
      given: video(),
      thresholds: { rule: 'forbidden' },
      says: 'fail',
      fix: 'ffmpeg -i "spot.mp4" -c copy -an "fixed-spot.mp4"',
    },
    { it: 'may have a number', given: twice, thresholds: { rule: 'required', streams: 2 }, says: 'pass' },
    {
      it: 'fails with another number',
      given: twice,
      thresholds: { rule: 'required', streams: 1 },
      says: 'fail',
      details: /2 sound tracks; 1 track is wanted/,
    },
    { it: 'may be missing where only its number is set', given: silent, thresholds: { streams: 1 }, says: 'pass' },
  ])
})

describe('a fast start', () => {
  checkTable(fastStartCheck, [
    { it: 'passes with the index in front', given: video(), says: 'pass' },
    {
      it: 'fails with the index behind',
      given: video({ fastStart: false }),
      says: 'fail',
      fix: 'ffmpeg -i "spot.mp4" -c copy -movflags +faststart "fixed-spot.mp4"',
    },
    { it: 'passes in fragments', given: video({ fastStart: false, fragmented: true }), says: 'pass' },
    {
      it: 'has its own recipe in WebM',
      given: video({ container: 'webm', fastStart: false }),
      says: 'fail',
      fix: /cues_to_front/,
    },
    {
      it: 'quotes a hostile name as one word',
      given: { ...video({ fastStart: false }), name: `-a'$(rm -rf x)".mp4` },
      says: 'fail',
      fix: `ffmpeg -i './-a'\\''$(rm -rf x)".mp4' -c copy -movflags +faststart 'fixed--a'\\''$(rm -rf x)".mp4'`,
    },
  ])
})

describe('picture and sound', () => {
  const audio = (durationSeconds: number) => video({ audio: [audioStream({ durationSeconds })] })
  checkTable(avSyncLengthCheck, [
    { it: 'pass a tenth of a second apart', given: audio(15.1), says: 'pass' },
    {
      it: 'fail when the sound is longer',
      given: audio(15.11),
      says: 'fail',
      details: /0.11 s longer than the picture \(15 s\)/,
      fix: /-t 15 -c:v copy -c:a aac/,
    },
    { it: 'pass when the sound is a little shorter', given: audio(14.9), says: 'pass' },
    { it: 'fail when the sound is shorter', given: audio(14.8), says: 'fail', details: /0.2 s shorter/, fix: /apad/ },
    { it: 'are not compared without sound', given: video({ audio: [] }), says: 'skipped' },
    {
      it: 'name the track',
      given: video({ audio: [audioStream(), audioStream({ durationSeconds: 10 })] }),
      says: 'fail',
      details: /Sound track 2 is 5 s shorter/,
    },
  ])
})

describe('the sample rate', () => {
  const broadcast = { rates_hz: [48_000] }
  checkTable(sampleRateCheck, [
    { it: 'is not evaluated where none is set', given: audio(), says: 'skipped' },
    { it: 'passes when listed', given: audio(), thresholds: broadcast, says: 'pass' },
    {
      it: 'fails when not',
      given: audio({ audio: [audioStream({ sampleRate: 44_100, codec: 'pcm_s24le' })] }),
      thresholds: broadcast,
      says: 'fail',
      details: /44.1 kHz; 48 kHz/,
      fix: /-ar 48000 -c:a pcm_s24le/,
    },
    {
      it: 'keeps the picture as it is when the sound of a video is fixed',
      given: video({ audio: [audioStream({ sampleRate: 44_100 })] }),
      thresholds: broadcast,
      says: 'fail',
      fix: /-c:v copy -ar 48000/,
    },
    { it: 'is not asked of a silent video', given: video({ audio: [] }), thresholds: broadcast, says: 'skipped' },
  ])
})

describe('the channel layout', () => {
  const tracks = (channels: number, channelLayout: string | null) =>
    audio({ audio: [audioStream({ channels, channelLayout })] })
  const stereo = { layouts: ['stereo'] }
  checkTable(channelLayoutCheck, [
    { it: 'is not evaluated where none is set', given: audio(), says: 'skipped' },
    { it: 'passes when listed', given: audio(), thresholds: stereo, says: 'pass' },
    { it: 'is told by the number where it is not stated', given: tracks(2, null), thresholds: stereo, says: 'pass' },
    {
      it: 'is 5.1 from the side or the back',
      given: tracks(6, '5.1(side)'),
      thresholds: { layouts: ['5.1'] },
      says: 'pass',
    },
    {
      it: 'cannot be made up from mono',
      given: tracks(1, 'mono'),
      thresholds: stereo,
      says: 'fail',
      details: /is mono; stereo is wanted/,
      fix: /cannot be made up/,
    },
    { it: 'may be mixed down', given: tracks(6, '5.1'), thresholds: stereo, says: 'fail', fix: /-ac 2/ },
    {
      it: 'does not take six unnamed channels for 5.1',
      given: tracks(6, null),
      thresholds: { layouts: ['5.1'] },
      says: 'fail',
      details: /6 channels/,
    },
  ])
})
