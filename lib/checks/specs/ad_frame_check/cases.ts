import { adFrameCheck } from '../../archive/ad-frame-check'
import { adRequest, plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const framed = (
  ...inFrame: {
    what: 'reaches_out' | 'needs_safeframe' | 'expands_too_far' | 'expands_unasked' | 'leaves_page'
    detail: string
  }[]
) => ranAd({ inFrame })

export const spec = specOf(adFrameCheck, {
  good: [
    { name: 'runs in a frame', given: framed(), details: 'The ad runs in a frame of another site.', confidence: 0.95 },
    { name: 'mentions nothing around it', given: ranAd({ inFrame: 'unasked' }), details: /No file of the ad mentions/ },
    {
      name: 'libraries of other servers were not loaded',
      given: ranAd({
        inFrame: [],
        requests: [adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script' })],
      }),
      confidence: 0.7,
    },
  ],
  bad: [
    {
      name: 'reaches into the page',
      given: framed({ what: 'reaches_out', detail: 'SecurityError' }),
      details: /reaches into the page around it, and its script ends there \(SecurityError\)/,
      fix: /window\.top/,
      confidence: 1,
    },
    {
      name: 'expands in two wrong ways',
      given: framed({ what: 'expands_unasked', detail: '' }, { what: 'expands_too_far', detail: 'l 400 px' }),
      details: 'expands without being clicked and expands farther than the page has room for (l 400 px)',
      fix: /handler of a click only and expand by no more/,
    },
    { name: 'leaves', given: framed({ what: 'leaves_page', detail: 'https://www.example.com/' }) },
    {
      name: 'takes SafeFrame for granted',
      given: framed({ what: 'needs_safeframe', detail: '$sf is not defined' }),
      details: /where there is no SafeFrame \(\$sf is not defined\)/,
      fix: /ask whether window\.\$sf/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [
    { name: 'nothing can run it', given: unrunAd, details: /no Chromium/ },
    { name: 'run by an earlier version', given: ranAd() },
  ],
})
