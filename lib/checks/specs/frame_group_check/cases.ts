import type { FrameGroups } from '@/lib/media/facts'
import { video } from '../../testing'
import { frameGroupCheck } from '../../video/frame-group-check'
import { specOf } from '../spec'

const groups = (changes: Partial<FrameGroups> = {}) =>
  video({ groups: { keyFrames: 15, open: 0, longestFrames: 25, longestSeconds: 1, isIntra: false, ...changes } })
const closed = { structure: 'closed' }

export const spec = specOf(frameGroupCheck, {
  good: [
    { name: 'closed groups', given: groups(), thresholds: closed, confidence: 0.95 },
    {
      name: 'exactly as long as is allowed',
      given: groups(),
      thresholds: { max_seconds: 1, max_frames: 25 },
      details: /15 key frames; its longest group has 25 frames \(1 s\)\. Wanted: groups of at most 1 s and groups of/,
      confidence: 1,
    },
    {
      name: 'every frame by itself',
      given: groups({ keyFrames: 375, longestFrames: 1, longestSeconds: 0.04, isIntra: true }),
      thresholds: { structure: 'intra' },
      details: /^Every frame of the video is a key frame\./,
    },
  ],
  bad: [
    {
      name: 'open groups',
      given: groups({ open: 14 }),
      thresholds: closed,
      details: /14 groups are open\. Wanted: closed groups\./,
      fix: /-g 250 -x264-params open-gop=0/,
      confidence: 0.9,
    },
    {
      name: 'a group that is too long',
      given: groups({ longestSeconds: 1.04, longestFrames: 26 }),
      thresholds: { max_seconds: 1 },
      fix: /-g 25 /,
      confidence: 1,
    },
    { name: 'a frame too many', given: groups({ longestFrames: 26 }), thresholds: { max_frames: 25 } },
    {
      name: 'frames that lean on others',
      given: groups(),
      thresholds: { structure: 'intra' },
      fix: /every frame stands alone/,
    },
  ],
  skipped: [
    { name: 'nothing is set', given: groups() },
    { name: 'measured before key frames were counted', given: video({ groups: undefined }), thresholds: closed },
    { name: 'no key frame is marked', given: video({ groups: null }), thresholds: closed },
  ],
})
