import { describe } from 'vitest'
import type { ImageFacts } from '@/lib/media/facts'
import type { PixelFacts } from '@/lib/media/measurements'
import { checkTable, imageFacts, pixelFacts, subject } from '../testing'
import { animationCheck } from './animation-check'
import { bitDepthCheck } from './bit-depth-check'
import { blankCheck } from './blank-check'
import { borderCheck } from './border-check'
import { colourSpaceCheck } from './colour-space-check'
import { compressionCheck } from './compression-check'
import { metadataPrivacyCheck } from './metadata-privacy-check'
import { resolutionCheck } from './resolution-check'
import { sharpnessCheck } from './sharpness-check'
import { transparencyCheck } from './transparency-check'

const image = (changes: Partial<ImageFacts> = {}) => subject(imageFacts(changes))
const pixels = (changes: Partial<PixelFacts>, facts: Partial<ImageFacts> = {}) =>
  subject(imageFacts(facts), { measures: { pixels: pixelFacts(changes) } })

describe('the colour space of a picture', () => {
  const srgb = { allowed: ['srgb'] }
  const cmyk = { colourSpace: 'cmyk', hasProfile: true, profileColourSpace: 'CMYK', profileName: 'Coated FOGRA39' }
  checkTable(colourSpaceCheck, [
    { it: 'is not evaluated where none is set', given: image(), says: 'skipped' },
    {
      it: 'is sRGB when nothing is embedded',
      given: image(),
      thresholds: srgb,
      says: 'pass',
      details: /in sRGB without a profile/,
    },
    {
      it: 'is read from the embedded profile',
      given: image({ colourSpace: 'rgb', hasProfile: true, profileColourSpace: 'RGB', profileName: 'Display P3' }),
      thresholds: srgb,
      says: 'fail',
      details: /in Display P3 with the profile “Display P3”; sRGB is wanted/,
      fix: /Convert “hero.png” to sRGB/,
    },
    {
      it: 'may be any of a list',
      given: image({
        colourSpace: 'rgb',
        hasProfile: true,
        profileColourSpace: 'RGB',
        profileName: 'Adobe RGB (1998)',
      }),
      thresholds: { allowed: ['srgb', 'adobe-rgb'] },
      says: 'pass',
    },
    { it: 'must be RGB on a screen', given: image(cmyk), thresholds: srgb, says: 'fail', details: /in CMYK/ },
    {
      it: 'must be CMYK in print',
      given: image(),
      thresholds: { allowed: ['cmyk', 'grey'] },
      says: 'fail',
      details: /CMYK or grey is wanted/,
    },
    { it: 'passes in print as CMYK', given: image(cmyk), thresholds: { allowed: ['cmyk'] }, says: 'pass' },
    {
      it: 'must be embedded where a profile is required',
      given: image(),
      thresholds: { require_profile: true },
      says: 'fail',
      details: /no colour profile/,
    },
    {
      it: 'is enough when the required profile is there',
      given: image(cmyk),
      thresholds: { require_profile: true },
      says: 'pass',
    },
    { it: 'is not guessed', given: image({ colourSpace: null }), thresholds: srgb, says: 'skipped' },
  ])
})

describe('the resolution of a picture', () => {
  const dpi300 = { min_dpi: 300 }
  const a5 = { min_dpi: 300, print_width_mm: 148, print_height_mm: 210 }
  checkTable(resolutionCheck, [
    { it: 'is not evaluated where none is set', given: image({ densityDpi: 72 }), says: 'skipped' },
    { it: 'passes as the file states it', given: image({ densityDpi: 300 }), thresholds: dpi300, says: 'pass' },
    { it: 'passes when the file rounded it', given: image({ densityDpi: 299.99 }), thresholds: dpi300, says: 'pass' },
    {
      it: 'fails as the file states it',
      given: image({ densityDpi: 299 }),
      thresholds: dpi300,
      says: 'fail',
      details: /states 299 dpi; at least 300 dpi/,
      fix: /25.4 × 21.2 mm/,
    },
    { it: 'is skipped when nobody states one', given: image(), thresholds: dpi300, says: 'skipped' },
    {
      it: 'counts at the printed size, not as stated',
      given: image({ width: 1748, height: 2480, densityDpi: 72 }),
      thresholds: a5,
      says: 'pass',
      details: /are 300 dpi/,
    },
    {
      it: 'fails at the printed size whatever is stated',
      given: image({ width: 874, height: 1240, densityDpi: 300 }),
      thresholds: a5,
      says: 'fail',
      details: /874 × 1240 px on 148 × 210 mm are 150 dpi/,
      fix: /1749 × 2481 px/,
    },
    { it: 'means nothing for a drawing', given: image({ format: 'svg' }), thresholds: dpi300, says: 'skipped' },
  ])
})

describe('the bit depth of a picture', () => {
  checkTable(bitDepthCheck, [
    { it: 'is not evaluated where none is set', given: image(), says: 'skipped' },
    { it: 'passes when listed', given: image(), thresholds: { allowed: [8] }, says: 'pass' },
    {
      it: 'fails when not',
      given: image({ bitDepth: 16 }),
      thresholds: { allowed: [8] },
      says: 'fail',
      details: /16 bits per channel; 8 is wanted/,
    },
    {
      it: 'of a palette is that of its colours',
      given: image({ bitDepth: 4, colourSpace: 'indexed' }),
      thresholds: { allowed: [8] },
      says: 'pass',
    },
    { it: 'is not guessed', given: image({ bitDepth: null }), thresholds: { allowed: [8] }, says: 'skipped' },
  ])
})

describe('transparency', () => {
  const none = { rule: 'forbidden' }
  const clear = { hasAlpha: true, isOpaque: false }
  checkTable(transparencyCheck, [
    { it: 'is not evaluated where it does not matter', given: image(clear), says: 'skipped' },
    { it: 'fails where it is forbidden', given: image(clear), thresholds: none, says: 'fail', fix: /Flatten/ },
    {
      it: 'is not an alpha channel that no pixel uses',
      given: image({ hasAlpha: true, isOpaque: true }),
      thresholds: none,
      says: 'pass',
      details: /no pixel uses it/,
    },
    { it: 'passes where it is required', given: image(clear), thresholds: { rule: 'required' }, says: 'pass' },
    { it: 'fails where it is required and missing', given: image(), thresholds: { rule: 'required' }, says: 'fail' },
    { it: 'is skipped when it was not measured', given: image({ hasAlpha: true }), thresholds: none, says: 'skipped' },
  ])
})

describe('the sharpness of a picture', () => {
  checkTable(sharpnessCheck, [
    { it: 'passes at the threshold', given: pixels({ sharpness: 100 }), says: 'pass' },
    {
      it: 'fails below it',
      given: pixels({ sharpness: 99 }),
      says: 'fail',
      details: /measure 99 .*at least 100 is wanted/,
    },
    { it: 'is not asked of a picture without contours', given: pixels({ sharpness: null }), says: 'skipped' },
    { it: 'is not asked of a drawing', given: pixels({ sharpness: 1 }, { format: 'svg' }), says: 'skipped' },
    {
      it: 'is an error, not a pass, when the pixels could not be read',
      given: subject(imageFacts(), { measures: { pixels: { failed: 'the picture could not be decoded' } } }),
      says: 'error',
      details: /Not checked: the picture could not be decoded/,
    },
  ])
})

describe('the sharpness of an icon', () => {
  checkTable(sharpnessCheck, [
    { it: 'is not asked', given: pixels({ width: 47, sharpness: 1 }), says: 'skipped' },
    { it: 'is asked of a small picture', given: pixels({ width: 48, sharpness: 1 }), says: 'fail' },
  ])
})

describe('the compression of a picture', () => {
  checkTable(compressionCheck, [
    { it: 'passes a JPEG at the least quality', given: pixels({}, { format: 'jpeg', jpegQuality: 70 }), says: 'pass' },
    {
      it: 'fails a JPEG below it',
      given: pixels({}, { format: 'jpeg', jpegQuality: 69 }),
      says: 'fail',
      details: /quality 69; at least 70/,
    },
    { it: 'passes a picture in which no grid shows', given: pixels({ blockiness: 1.6 }), says: 'pass' },
    {
      it: 'fails a PNG that was a poor JPEG before',
      given: pixels({ blockiness: 1.61 }),
      says: 'fail',
      details: /1.61 times/,
    },
    {
      it: 'fails a good JPEG made from a poor one',
      given: pixels({ blockiness: 2 }, { format: 'jpeg', jpegQuality: 95 }),
      says: 'fail',
    },
    { it: 'is skipped when the picture is too small', given: pixels({ blockiness: null }), says: 'skipped' },
  ])
})

describe('a blank picture', () => {
  checkTable(blankCheck, [
    { it: 'passes at the least deviation', given: pixels({ deviation: 0.01 }), says: 'pass' },
    {
      it: 'fails below it',
      given: pixels({ deviation: 0.0099 }),
      says: 'fail',
      details: /0.99 % of full scale, at least 1 %/,
    },
    {
      it: 'fails when everything is transparent',
      given: pixels({ deviation: 0, transparentShare: 1 }),
      says: 'fail',
      details: /fully transparent/,
    },
  ])
})

describe('the border of a picture', () => {
  checkTable(borderCheck, [
    { it: 'is enough when half of the edge stands out', given: pixels({ paleEdgeShare: 0.5 }), says: 'pass' },
    {
      it: 'is missing when more than half would vanish',
      given: pixels({ paleEdgeShare: 0.51 }),
      says: 'fail',
      details: /51 % of the edge/,
      fix: /border of 1 px/,
    },
  ])
})

describe('an animation', () => {
  const moving = (changes: Partial<ImageFacts>) =>
    image({ format: 'gif', frames: 50, durationSeconds: 10, loopCount: 3, ...changes })
  checkTable(animationCheck, [
    { it: 'is not asked of a still picture', given: image(), says: 'skipped' },
    {
      it: 'passes at 30 seconds with its repetitions',
      given: moving({}),
      says: 'pass',
      details: /50 frames in 10 s, played 3 times/,
    },
    {
      it: 'fails above',
      given: moving({ loopCount: 4 }),
      says: 'fail',
      details: /for 40 s .*at most 30 s/,
      fix: /play 3 times \(30 s\) instead of 4 times/,
    },
    { it: 'fails when it never stops', given: moving({ loopCount: 0 }), says: 'fail', details: /without end/ },
    {
      it: 'must be shortened when one pass is too long',
      given: moving({ durationSeconds: 31, loopCount: 1 }),
      says: 'fail',
      fix: /Shorten one pass/,
    },
    {
      it: 'may be forbidden',
      given: moving({}),
      thresholds: { allowed: false },
      says: 'fail',
      details: /still picture is wanted/,
    },
    { it: 'may play as often as set', given: moving({}), thresholds: { max_plays: 3 }, says: 'pass' },
    {
      it: 'may not play more often',
      given: moving({}),
      thresholds: { max_plays: 2 },
      says: 'fail',
      details: /plays 3 times; at most 2 times/,
    },
    { it: 'may be as fast as set', given: moving({}), thresholds: { max_frames_per_second: 5 }, says: 'pass' },
    {
      it: 'may not be faster',
      given: moving({}),
      thresholds: { max_frames_per_second: 4 },
      says: 'fail',
      details: /5 frames per second; at most 4/,
      fix: /250 ms/,
    },
  ])
})

describe('private metadata', () => {
  checkTable(metadataPrivacyCheck, [
    { it: 'pass when no position is given away', given: image({ hasExif: true }), says: 'pass' },
    {
      it: 'fail when one is',
      given: image({ hasGps: true }),
      says: 'fail',
      fix: 'exiftool -gps:all= -xmp-exif:gps*= "hero.png"',
    },
  ])
})

describe('a drawing without pixels', () => {
  const eps = subject(imageFacts({ format: 'eps' }), { measures: {} })
  checkTable(blankCheck, [{ it: 'is not called blank, nor an error', given: eps, says: 'skipped' }])
  checkTable(sharpnessCheck, [{ it: 'is not called soft, nor an error', given: eps, says: 'skipped' }])
})
