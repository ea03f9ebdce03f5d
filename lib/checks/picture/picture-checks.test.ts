import { describe } from 'vitest'
import { checkTable, imageFacts, subject, videoFacts } from '../testing'
import { aspectRatioCheck } from './aspect-ratio-check'
import { dimensionCheck } from './dimension-check'

describe('the dimensions', () => {
  const sizes = { sizes: ['300x250', '728x90'] }
  const image = (width: number, height: number, changes = {}) => subject(imageFacts({ width, height, ...changes }))
  checkTable(dimensionCheck, [
    { it: 'are not evaluated when nobody says what is wanted', given: image(1, 1), says: 'skipped' },
    { it: 'pass when listed', given: image(728, 90), thresholds: sizes, says: 'pass' },
    {
      it: 'fail by two pixels, and the fix names the nearest size',
      given: image(298, 250),
      thresholds: sizes,
      says: 'fail',
      details: 'The picture is 298 × 250 px; 300 × 250 px or 728 × 90 px is wanted.',
      fix: /Export “hero.png” at 300 × 250 px .* the file is 298 × 250 px/,
    },
    {
      it: 'go by the list, not by the name',
      given: { ...image(300, 250), claims: { width: 1, height: 1 } },
      thresholds: sizes,
      says: 'pass',
    },
    {
      it: 'go by the name where nothing is listed',
      given: { ...image(300, 250), claims: { width: 300, height: 250 } },
      says: 'pass',
    },
    {
      it: 'fail by the name',
      given: { ...image(300, 251), claims: { width: 300, height: 250 } },
      says: 'fail',
      details: /the name says 300 × 250 px/,
    },
    { it: 'are those after turning', given: image(250, 300, { orientation: 8 }), thresholds: sizes, says: 'pass' },
    {
      it: 'pass at the bounds',
      given: image(1080, 1920),
      thresholds: { min_width: 1080, max_height: 1920 },
      says: 'pass',
    },
    {
      it: 'fail below the least',
      given: image(1079, 1920),
      thresholds: { min_width: 1080 },
      says: 'fail',
      details: /at least 1080 px wide/,
    },
    {
      it: 'fail above the greatest',
      given: image(1080, 1921),
      thresholds: { max_height: 1920 },
      says: 'fail',
      details: /at most 1920 px high/,
    },
    {
      it: 'of a video count its pixels as shown',
      given: subject(videoFacts({ width: 1440, displayWidth: 1920 })),
      thresholds: { sizes: ['1920x1080'] },
      says: 'pass',
      details: /The video is 1920 × 1080 px/,
    },
    {
      it: 'are an error when they could not be measured',
      given: { ...image(1, 1), media: { failed: 'unreadable' } },
      says: 'error',
    },
    {
      it: 'are not evaluated by a list nobody can read',
      given: image(1, 1),
      thresholds: { sizes: ['wide'] },
      says: 'error',
    },
  ])
})

describe('the aspect ratio', () => {
  const video = (displayWidth: number, displayHeight: number) => subject(videoFacts({ displayWidth, displayHeight }))
  const wide = { ratios: ['16x9'] }
  checkTable(aspectRatioCheck, [
    { it: 'is not evaluated when nobody says what is wanted', given: video(1920, 1080), says: 'skipped' },
    { it: 'passes when listed', given: video(1920, 1080), thresholds: wide, says: 'pass' },
    { it: 'passes within 1 %', given: video(1920, 1070), thresholds: wide, says: 'pass' },
    {
      it: 'fails beyond',
      given: video(1920, 1068),
      thresholds: wide,
      says: 'fail',
      details: /1.798:1; 16:9 is wanted/,
      fix: /1920 × 1080 px/,
    },
    {
      it: 'takes ratios with decimals',
      given: video(1080, 566),
      thresholds: { ratios: ['1.91x1', '1x1'] },
      says: 'pass',
    },
    {
      it: 'goes by the name where nothing is listed',
      given: { ...video(1080, 1080), claims: { ratio: { width: 9, height: 16 } } },
      says: 'fail',
      details: /the name says 9:16/,
    },
  ])
})
