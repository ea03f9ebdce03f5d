import type { ClosedCaptions } from '@/lib/media/facts'
import { video } from '../../testing'
import { closedCaptionCheck } from '../../video/closed-caption-check'
import { specOf } from '../spec'

const data = (changes: Partial<ClosedCaptions> = {}): ClosedCaptions => ({
  cea608: [80, 0],
  cea708: [],
  from: 1,
  until: 12,
  ...changes,
})
const both = data({ cea708: [{ service: 1, bytes: 84 }] })
const padding = data({ cea608: [0, 0], from: null, until: null })
const required = { rule: 'required' }

export const spec = specOf(closedCaptionCheck, {
  good: [
    {
      name: 'captions, nothing set',
      given: video({ closedCaptions: data() }),
      details: /CEA-608 captions \(80 characters from 00:00:01.000/,
    },
    { name: 'required, in the frames', given: video({ closedCaptions: data() }), thresholds: required },
    { name: 'required, as a track', given: video({ captionTracks: ['mov_text'] }), thresholds: required },
    {
      name: 'both carriages',
      given: video({ closedCaptions: both }),
      thresholds: { ...required, carriages: ['cea608', 'cea708'] },
    },
    { name: 'forbidden and none', given: video(), thresholds: { rule: 'forbidden' } },
  ],
  bad: [
    {
      name: 'none where they are required',
      given: video(),
      thresholds: required,
      details: /no captions; captions are wanted/,
      fix: /embed them/,
    },
    {
      name: 'padding where they are required',
      given: video({ closedCaptions: padding }),
      thresholds: required,
      details: /caption data that never say anything/,
    },
    {
      name: 'one of two carriages',
      given: video({ closedCaptions: data() }),
      thresholds: { ...required, carriages: ['cea608', 'cea708'] },
      details: /CEA-608 captions and CEA-708 captions are wanted/,
      fix: /with CEA-708 captions:/,
    },
    {
      name: 'forbidden',
      given: video({ closedCaptions: both }),
      thresholds: { rule: 'forbidden' },
      fix: /remove_types=6/,
    },
    { name: 'a forbidden track', given: video({ captionTracks: ['mov_text'] }), thresholds: { rule: 'forbidden' } },
    {
      name: 'padding is caption data',
      given: video({ closedCaptions: padding, codec: 'mpeg2video' }),
      thresholds: { rule: 'forbidden' },
      fix: /^Export/,
    },
    {
      name: 'padding only',
      given: video({ closedCaptions: padding }),
      says: 'warning',
      details: /captions that do not come/,
    },
  ],
  skipped: [
    { name: 'none, nothing set', given: video() },
    { name: 'not every frame was read', given: video({ closedCaptions: undefined }), thresholds: required },
  ],
})
