import { channelOrderCheck } from '../../audio/channel-order-check'
import { audioFacts, audioStream, audioTrack, subject, trackFacts } from '../../testing'
import { specOf } from '../spec'

const full = { levelDb: -25, meanHertz: 1200 }
const low = { levelDb: -30, meanHertz: 60 }
const silent = { levelDb: null, meanHertz: null }

const surround = (contents: readonly (typeof full | typeof silent)[], channelLayout: string | null = '5.1') =>
  subject(audioFacts({ audio: [audioStream({ channels: contents.length, channelLayout })] }), {
    measures: { audio: { tracks: [trackFacts({ channels: contents.length, contents: [...contents] })] } },
  })

export const spec = specOf(channelOrderCheck, {
  good: [
    {
      name: 'low frequencies in the fourth',
      given: surround([full, full, full, low, full, full]),
      details: /60 Hz/,
      confidence: 0.99,
    },
    {
      name: 'between low and full',
      given: surround([full, full, full, { levelDb: -30, meanHertz: 250 }, full, full]),
      confidence: 0.7,
    },
    { name: 'a bass in the surrounds', given: surround([full, full, full, low, low, full]) },
    { name: 'a little lower', given: surround([full, full, full, { levelDb: -30, meanHertz: 79 }, full, low]) },
    { name: '7.1', given: surround([full, full, full, low, full, full, full, full], '7.1') },
  ],
  bad: [
    {
      name: 'film order',
      given: surround([full, full, full, full, full, low]),
      details:
        /Channel 4, for low-frequency effects, holds all frequencies \(1200 Hz on the average\); the low frequencies are in channel 6 \(60 Hz\)/,
      fix: /pan=5\.1\|c0=c0\|c1=c2\|c2=c1\|c3=c5\|c4=c3\|c5=c4/,
      confidence: 0.99,
      occurrences: [{ stream: 0 }],
    },
    {
      name: 'film order with silent surrounds but the left',
      given: surround([full, full, full, full, silent, low], '5.1(side)'),
    },
    {
      name: 'film order, of whose fourth the coding left low frequencies',
      given: surround([full, full, full, { levelDb: -30, meanHertz: 130 }, full, low]),
      details:
        /Channel 6 holds lower frequencies \(60 Hz on the average\) than channel 4, .*\(130 Hz\), and nothing else/,
      fix: /pan=5\.1/,
      confidence: 0.85,
    },
    {
      name: 'everything in the fourth',
      given: surround([full, full, full, { levelDb: -25, meanHertz: 900 }, full, full]),
      confidence: 0.85,
    },
    {
      name: 'film order where none is stated',
      given: surround([full, full, full, full, full, low], null),
      confidence: 0.7,
    },
    { name: '7.1 with the effects last', given: surround([full, full, full, full, full, full, full, low], '7.1') },
  ],
  skipped: [
    { name: 'stereo', given: audioTrack() },
    { name: 'a tone on every channel', given: surround([full, full, full, full, full, full]), details: /test tone/ },
    { name: 'a silent fourth channel', given: surround([full, full, full, silent, full, full]) },
    { name: 'another layout of six', given: surround([full, full, full, full, full, full], '6.0') },
    {
      name: 'measured before contents were',
      given: subject(audioFacts({ audio: [audioStream({ channels: 6, channelLayout: '5.1' })] }), {
        measures: { audio: { tracks: [trackFacts({ channels: 6 })] } },
      }),
    },
  ],
})
