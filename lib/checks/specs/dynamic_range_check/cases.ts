import type { DynamicRange, VideoFacts } from '@/lib/media/facts'
import { video, videoFrames } from '../../testing'
import { dynamicRangeCheck } from '../../video/dynamic-range-check'
import { specOf } from '../spec'

const display = { masteringDisplay: { minNits: 0.005, maxNits: 1000 } }
const light = { contentLight: { maxCll: 1000, maxFall: 400 } }
const made = (transfer: string | null, states: Partial<DynamicRange> = {}, facts: Partial<VideoFacts> = {}) =>
  video({
    bitDepth: 10,
    colour: { primaries: 'bt2020', transfer, matrix: 'bt2020nc', range: 'limited' },
    dynamicRange: { masteringDisplay: null, contentLight: null, dolbyVision: null, ...states },
    ...facts,
  })
const hdr10 = made('smpte2084', { ...display, ...light })
const shining = (peak: number, average: number, of = hdr10) => ({
  ...of,
  measures: videoFrames({
    levels: {
      low: { percent: 0, at: 0 },
      high: { percent: 75, at: 2 },
      light: { peak: { nits: peak, at: 2 }, average: { nits: average, at: 3.5 } },
    },
  }).measures,
})

export const spec = specOf(dynamicRangeCheck, {
  good: [
    { name: 'SDR', given: video(), thresholds: { allowed: ['sdr'], require_statement: true } },
    {
      name: 'HDR10',
      given: hdr10,
      thresholds: { allowed: ['hdr10'], max_cll_nits: 1000 },
      details: /MaxCLL 1000, MaxFALL 400/,
    },
    { name: 'HLG', given: made('arib-std-b67'), thresholds: { allowed: ['hlg', 'sdr'] } },
    { name: 'PQ of unknown light levels, where nothing is set', given: made('smpte2084') },
    {
      name: 'P3 in PQ',
      given: made(
        'smpte2084',
        {},
        { colour: { primaries: 'smpte432', transfer: 'smpte2084', matrix: 'bt2020nc', range: 'limited' } },
      ),
    },
    {
      name: 'Dolby Vision upon HDR10',
      given: made('smpte2084', { ...display, ...light, dolbyVision: { profile: 8, level: 5 } }),
      thresholds: { allowed: ['hdr10'] },
    },
    {
      name: 'pixels a tenth above the statement',
      given: shining(1100, 440),
      details: /Its pixels reach 1100 cd\/m²\.$/,
      confidence: 1,
    },
    { name: 'pixels as bright as the brightest display of all', given: shining(5000, 900, made('smpte2084')) },
    {
      name: 'pixels brighter than that, where nothing is asked of them',
      given: shining(9990, 900, made('smpte2084')),
      thresholds: { max_pixel_nits: null },
    },
    {
      name: 'nothing stated, where that is not asked',
      given: video({ colour: { primaries: null, transfer: null, matrix: null, range: null } }),
    },
  ],
  bad: [
    {
      name: 'HDR where SDR is wanted',
      given: hdr10,
      thresholds: { allowed: ['sdr'] },
      details: /HDR10 \(PQ\); SDR is wanted/,
      fix: /tonemap/,
    },
    { name: 'SDR where HDR10 is wanted', given: video(), thresholds: { allowed: ['hdr10'] } },
    {
      name: 'PQ in 8 bits',
      given: made('smpte2084', {}, { bitDepth: 8 }),
      details: /PQ with 8 bits; ITU-R BT.2100 has 10/,
      fix: /10 bits/,
    },
    {
      name: 'HLG with the primaries of BT.709',
      given: made(
        'arib-std-b67',
        {},
        { colour: { primaries: 'bt709', transfer: 'arib-std-b67', matrix: 'bt709', range: 'limited' } },
      ),
      details: /HLG with the primaries bt709/,
    },
    {
      name: 'PQ without primaries',
      given: made('smpte2084', {}, { colour: { primaries: null, transfer: 'smpte2084', matrix: null, range: null } }),
    },
    {
      name: 'light levels of a video in SDR',
      given: made('bt709', light),
      details: /metadata of high dynamic range and the transfer bt709/,
    },
    {
      name: 'MaxFALL above MaxCLL',
      given: made('smpte2084', { contentLight: { maxCll: 400, maxFall: 1000 } }),
      details: /no image can have/,
    },
    {
      name: 'a display that is darkest where it is brightest',
      given: made('smpte2084', { masteringDisplay: { minNits: 1000, maxNits: 1000 } }),
    },
    {
      name: 'HDR10 without its metadata',
      given: made('smpte2084'),
      thresholds: { allowed: ['hdr10'] },
      details: /without its mastering display .* and HDR10 without its light levels/,
    },
    {
      name: 'pixels brighter than MaxCLL',
      given: shining(1101, 440),
      details: /MaxCLL 1000 cd\/m², where the pixels reach 1101 at 00:00:02\.000/,
      confidence: 0.9,
    },
    {
      name: 'frames brighter than MaxFALL',
      given: shining(900, 460),
      details: /MaxFALL 400 cd\/m², where the pixels have an average of 460 at 00:00:03\.500/,
    },
    {
      name: 'SDR marked as PQ',
      given: shining(9990, 900, made('smpte2084')),
      details: /PQ, where the pixels reach 9990 cd\/m² at 00:00:02\.000; at most 5000 is wanted/,
      fix: /the transfer its pixels have/,
      confidence: 0.9,
    },
    {
      name: 'brighter than is taken',
      given: hdr10,
      thresholds: { max_cll_nits: 800 },
      details: /MaxCLL 1000 cd\/m²; at most 800/,
    },
    {
      name: 'nothing stated',
      given: video({ colour: { primaries: null, transfer: null, matrix: 'bt709', range: null } }),
      thresholds: { require_statement: true },
      details: /no statement of primaries and transfer/,
    },
    {
      name: 'Dolby Vision of profile 5 where HDR10 is wanted',
      given: made('smpte2084', { dolbyVision: { profile: 5, level: 5 } }),
      thresholds: { allowed: ['hdr10'] },
    },
  ],
  skipped: [{ name: 'measured by an older engine', given: video({ dynamicRange: undefined }) }],
})
