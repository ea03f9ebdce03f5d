import { transparencyCheck } from '../../image/transparency-check'
import { document, documentContents, image } from '../../testing'
import { specOf } from '../spec'

const x1a = { rule: 'forbidden' }
const clear = { hasAlpha: true, isOpaque: false }
const none = { rule: 'forbidden' }

export const spec = specOf(transparencyCheck, {
  good: [
    { name: 'an opaque document', given: document(), thresholds: x1a },
    {
      name: 'an alpha channel that no pixel uses',
      given: image({ hasAlpha: true, isOpaque: true }),
      thresholds: none,
      details: /no pixel uses it/,
    },
    {
      name: 'a document that is blended in CMYK',
      given: document({ hasTransparency: true, contents: documentContents({ blendSpaces: ['DeviceCMYK'] }) }),
      thresholds: { blend_space: 'cmyk' },
    },
    { name: 'a transparent image where that is required', given: image(clear), thresholds: { rule: 'required' } },
  ],
  bad: [
    {
      name: 'a document that is blended in RGB',
      given: document({ hasTransparency: true, contents: documentContents({ blendSpaces: ['DeviceRGB'] }) }),
      thresholds: { blend_space: 'cmyk' },
      details: /blended in DeviceRGB; CMYK is wanted/,
    },
    {
      name: 'a document with transparency where that is forbidden',
      given: document({ hasTransparency: true }),
      thresholds: x1a,
      fix: /flattened/,
    },
    { name: 'a transparent image where that is forbidden', given: image(clear), thresholds: none, fix: /Flatten/ },
    { name: 'an opaque image where transparency is required', given: image(), thresholds: { rule: 'required' } },
  ],
  skipped: [
    { name: 'no rule is set', given: image(clear) },
    { name: 'an alpha channel whose pixels were not measured', given: image({ hasAlpha: true }), thresholds: none },
  ],
})
