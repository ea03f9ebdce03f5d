import { colourSpaceCheck } from '../../image/colour-space-check'
import { document, image } from '../../testing'
import { specOf } from '../spec'

const print = { allowed: ['cmyk', 'grey'] }
const srgb = { allowed: ['srgb'] }
const cmyk = { colourSpace: 'cmyk', hasProfile: true, profileColourSpace: 'CMYK', profileName: 'Coated FOGRA39' }

export const spec = specOf(colourSpaceCheck, {
  good: [
    {
      name: 'a document in CMYK, grey and a separation for print',
      given: document({ colourSpaces: ['DeviceCMYK', 'DeviceGray', 'Separation CMYK'] }),
      thresholds: print,
    },
    {
      name: 'a document in RGB for a screen',
      given: document({ colourSpaces: ['DeviceRGB'] }),
      thresholds: { allowed: ['srgb'] },
    },
    {
      name: 'a document with an output intent where a profile is required',
      given: document({ outputIntent: 'FOGRA39' }),
      thresholds: { require_profile: true },
    },
    {
      name: 'an image without a profile, which is sRGB',
      given: image(),
      thresholds: srgb,
      details: /in sRGB without a profile/,
    },
    {
      name: 'an image whose profile is one of the list',
      given: image({
        colourSpace: 'rgb',
        hasProfile: true,
        profileColourSpace: 'RGB',
        profileName: 'Adobe RGB (1998)',
      }),
      thresholds: { allowed: ['srgb', 'adobe-rgb'] },
    },
    {
      name: 'an image in CMYK for print',
      given: image(cmyk),
      thresholds: { allowed: ['cmyk'] },
    },
    {
      name: 'an image with a profile where one is required',
      given: image(cmyk),
      thresholds: { require_profile: true },
    },
  ],
  bad: [
    {
      name: 'a document with one space of RGB for print',
      given: document({ colourSpaces: ['DeviceCMYK', 'ICCBased RGB'] }),
      thresholds: print,
      details: /use RGB; CMYK or grey is wanted/,
    },
    {
      name: 'a document without an output intent where a profile is required',
      given: document(),
      thresholds: { require_profile: true },
      details: /no output intent/,
    },
    {
      name: 'an image with the profile of another space',
      given: image({ colourSpace: 'rgb', hasProfile: true, profileColourSpace: 'RGB', profileName: 'Display P3' }),
      thresholds: srgb,
      details: /in Display P3 with the profile “Display P3”; sRGB is wanted/,
      fix: /Convert “hero.png” to sRGB/,
    },
    {
      name: 'an image in CMYK for a screen',
      given: image(cmyk),
      thresholds: srgb,
      details: /in CMYK/,
    },
    {
      name: 'an image in RGB for print',
      given: image(),
      thresholds: { allowed: ['cmyk', 'grey'] },
      details: /CMYK or grey is wanted/,
    },
    {
      name: 'an image without a profile where one is required',
      given: image(),
      thresholds: { require_profile: true },
      details: /no colour profile/,
    },
  ],
  skipped: [
    { name: 'a document of which no colour space is known', given: document({ colourSpaces: [] }), thresholds: print },
    { name: 'no space is set', given: image() },
    { name: 'an image of which the space is not known', given: image({ colourSpace: null }), thresholds: srgb },
  ],
})
