import { channelLayoutCheck } from '../../audio/channel-layout-check'
import { audio, audioStream } from '../../testing'
import { specOf } from '../spec'

const stereo = { layouts: ['stereo'] }
const tracks = (channels: number, channelLayout: string | null) =>
  audio({ audio: [audioStream({ channels, channelLayout })] })

export const spec = specOf(channelLayoutCheck, {
  good: [
    { name: 'a layout of the list', given: audio(), thresholds: stereo },
    {
      name: 'two channels without a layout',
      given: tracks(2, null),
      thresholds: stereo,
    },
    {
      name: '5.1 by the side, where others have it by the back',
      given: tracks(6, '5.1(side)'),
      thresholds: { layouts: ['5.1'] },
    },
  ],
  bad: [
    {
      name: 'mono, of which no stereo can be made up',
      given: tracks(1, 'mono'),
      thresholds: stereo,
      details: /is mono; stereo is wanted/,
      fix: /cannot be made up/,
    },
    { name: '5.1, which may be mixed down', given: tracks(6, '5.1'), thresholds: stereo, fix: /-ac 2/ },
    {
      name: 'six unnamed channels where 5.1 is wanted',
      given: tracks(6, null),
      thresholds: { layouts: ['5.1'] },
      details: /6 channels/,
    },
  ],
  skipped: [{ name: 'no layout is set', given: audio() }],
})
