import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { quoted } from '../recipe'
import { allOf, anyOf, clock, decimal } from '../wording'

const RANGES = ['sdr', 'hdr10', 'hlg', 'dolby_vision'] as const
type Range = (typeof RANGES)[number]
/** Averaged pixels, of 8 bits, lie below what was measured of all: what exceeds a statement by more contradicts it. */
const LIGHT_TOLERANCE = 0.1
const NAMES: Readonly<Record<Range, string>> = {
  sdr: 'SDR',
  hdr10: 'HDR10 (PQ)',
  hlg: 'HLG',
  dolby_vision: 'Dolby Vision',
}

export const dynamicRangeCheck = mediaCheck({
  id: 'dynamic_range_check',
  label: 'Dynamic range and colour statements',
  kinds: ['video'],
  describe:
    'What the video states of its colours fits together: PQ and HLG come with 10 bits and the primaries of BT.2020 (or of P3-D65, as some masters have), metadata of high dynamic range only with PQ or Dolby Vision, and their numbers are possible. And it is the dynamic range that is wanted; HDR10 then with its mastering display and light levels. The light of the pixels of PQ, measured once a second, is not above the stated light levels by more than a tenth; that it stays below them is no fault, as a longer version may reach them. Pixels of PQ that are brighter than any display that films are graded on are a fault whatever is stated: SDR that is marked as PQ looks like that, as its white then means 10,000 cd/m². SDR that is marked as HLG, and PQ or HLG marked as SDR, are not told apart by their pixels.',
  severity: 'blocking',
  confidence: 'Statements: 1. Light of the pixels alone: 0.9, as they are averaged.',
  thresholds: z.strictObject({
    allowed: z.array(z.enum(RANGES)).default([]).meta({
      title: 'Allowed dynamic ranges',
      source: 'Reasoned: any unless set; ads for the web and for most television are SDR',
    }),
    require_statement: z.boolean().default(false).meta({
      title: 'Primaries, transfer and matrix must be stated',
      source: 'Reasoned: not asked unless set; without them players guess (ITU-T H.273, value 2: unspecified)',
    }),
    max_cll_nits: z.number().positive().nullable().default(null).meta({
      title: 'Greatest MaxCLL',
      unit: 'cd/m²',
      source: 'Reasoned: none unless set; many services take masters of 1,000 cd/m² (CTA-861.3 for what it is)',
    }),
    max_pixel_nits: z.number().positive().nullable().default(5000).meta({
      title: 'Brightest pixels of PQ',
      unit: 'cd/m²',
      source:
        'Reasoned: the brightest displays that films are graded on reach 4,000 cd/m², and a pixel is measured to a twentieth; SDR marked as PQ reaches up to 10,000 (SMPTE ST 2084)',
    }),
  }),
  run({ media, name, measures }, { allowed, require_statement, max_cll_nits, max_pixel_nits }) {
    const { primaries, transfer, matrix } = media.colour
    if (media.dynamicRange === undefined) return skip('The statements of high dynamic range were not read.')
    const { masteringDisplay, contentLight, dolbyVision } = media.dynamicRange
    const isHigh = transfer === 'smpte2084' || transfer === 'arib-std-b67'
    const base: Range = transfer === 'smpte2084' ? 'hdr10' : transfer === 'arib-std-b67' ? 'hlg' : 'sdr'
    const range: Range = dolbyVision ? 'dolby_vision' : base
    // Of profile 8 the base layer is a video of its own.
    const isAllowed =
      allowed.length === 0 || allowed.includes(range) || (dolbyVision?.profile === 8 && allowed.includes(base))
    const extras = { measured: range, ...(allowed.length > 0 && { expected: anyOf(allowed) }) }
    const again = `Export “${name}” from the grade again, with`
    const faults: string[] = []
    const fixes = new Set<string>()
    const fault = (what: string, fix: string) => {
      faults.push(what)
      fixes.add(fix)
    }
    const curve = transfer === 'smpte2084' ? 'PQ' : 'HLG'
    if (isHigh && (media.bitDepth ?? 8) < 10)
      fault(`${curve} with ${media.bitDepth ?? 8} bits; ITU-R BT.2100 has 10 or 12`, '10 bits per sample')
    if (isHigh && primaries !== null && primaries !== 'bt2020' && primaries !== 'smpte432')
      fault(`${curve} with the primaries ${primaries}; ITU-R BT.2100 has those of BT.2020`, 'BT.2020 primaries')
    if (isHigh && primaries === null) fault(`${curve} without a statement of the primaries`, 'BT.2020 primaries')
    if (!isHigh && !dolbyVision && (masteringDisplay || contentLight))
      fault(
        `metadata of high dynamic range and the transfer ${transfer ?? 'not stated'}`,
        'either PQ or no such metadata',
      )
    if (masteringDisplay && !(masteringDisplay.minNits < masteringDisplay.maxNits))
      fault(
        `a mastering display from ${decimal(masteringDisplay.minNits, 4)} to ${decimal(masteringDisplay.maxNits)} cd/m²`,
        'the luminance of the display it was graded on',
      )
    if (contentLight && contentLight.maxFall > contentLight.maxCll)
      fault(
        `MaxFALL ${contentLight.maxFall} above MaxCLL ${contentLight.maxCll}, which no image can have`,
        'measured light levels',
      )
    if (range === 'hdr10' && allowed.includes('hdr10')) {
      if (!masteringDisplay) fault('HDR10 without its mastering display (SMPTE ST 2086)', 'its mastering display')
      if (!contentLight) fault('HDR10 without its light levels (MaxCLL, MaxFALL)', 'measured light levels')
    }
    if (max_cll_nits !== null && contentLight && contentLight.maxCll > max_cll_nits)
      fault(
        `MaxCLL ${contentLight.maxCll} cd/m²; at most ${decimal(max_cll_nits)} is wanted`,
        `peaks of at most ${decimal(max_cll_nits)} cd/m²`,
      )
    const stated = faults.length
    const shown = measures.video?.levels?.light
    if (contentLight && transfer === 'smpte2084' && shown) {
      const compared = [
        ['MaxCLL', contentLight.maxCll, shown.peak, 'reach'],
        ['MaxFALL', contentLight.maxFall, shown.average, 'have an average of'],
      ] as const
      for (const [what, limit, { nits, at }, verb] of compared)
        if (limit > 0 && !isAtMost(nits, limit * (1 + LIGHT_TOLERANCE)))
          fault(
            `${what} ${limit} cd/m², where the pixels ${verb} ${decimal(nits, 0)} at ${clock(at)}`,
            'measured light levels',
          )
    }
    if (max_pixel_nits !== null && transfer === 'smpte2084' && shown && !isAtMost(shown.peak.nits, max_pixel_nits))
      fault(
        `PQ, where the pixels reach ${decimal(shown.peak.nits, 0)} cd/m² at ${clock(shown.peak.at)}; at most ${decimal(max_pixel_nits)} is wanted, and SDR that is marked as PQ looks like that`,
        'the transfer its pixels have',
      )
    const isOfPixels = stated === 0 && faults.length > 0
    const unstated = [
      ['primaries', primaries],
      ['transfer', transfer],
      ['matrix', matrix],
    ]
      .filter(([, value]) => value === null)
      .map(([what]) => what as string)
    if (require_statement && unstated.length > 0) fault(`no statement of ${allOf(unstated)}`, 'all of its colour tags')
    if (!isAllowed) {
      return fail(`The video is ${NAMES[range]}; ${anyOf(allowed.map((one) => NAMES[one]))} is wanted.`, {
        ...extras,
        fix:
          allowed.includes('sdr') && isHigh
            ? `ffmpeg -i ${quoted(name)} -vf "zscale=t=linear:npl=100,tonemap=hable,zscale=p=bt709:t=bt709:m=bt709:r=tv,format=yuv420p" -c:a copy ${quoted(`fixed-${name}`)}, or ask the grade for an SDR version.`
            : `${again} ${anyOf(allowed.map((one) => NAMES[one]))}.`,
      })
    }
    if (faults.length > 0)
      return fail(`The video states ${allOf(faults)}.`, {
        ...extras,
        confidence: isOfPixels && !(require_statement && unstated.length > 0) ? 0.9 : 1,
        fix: `${again} ${allOf([...fixes])}.`,
      })
    const light = contentLight ? `, MaxCLL ${contentLight.maxCll}, MaxFALL ${contentLight.maxFall} cd/m²` : ''
    const reached = shown ? ` Its pixels reach ${decimal(shown.peak.nits, 0)} cd/m².` : ''
    return pass(
      `The video is ${NAMES[range]} (primaries ${primaries ?? 'not stated'}, transfer ${transfer ?? 'not stated'}, matrix ${matrix ?? 'not stated'}${light}).${reached}`,
      extras,
    )
  },
})
