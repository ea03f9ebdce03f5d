import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { anyOf, pixelSize } from '../wording'
import { startDocument } from './start-document'

const META = /<meta\b[^>]*>/gi
const NAME = /\bname\s*=\s*["']?\s*ad\.size\b/i
const SIZE = /width\s*=\s*(\d{1,5})\s*(?:px)?\s*[,;]\s*height\s*=\s*(\d{1,5})/i

export const adSizeCheck = mediaCheck({
  id: 'ad_size_check',
  label: 'Size of the ad',
  kinds: ['archive'],
  describe:
    'The size an HTML5 ad states in its meta tag ad.size, against the sizes of the media category or the size the file name says. What the ad really draws is not measured here.',
  severity: 'blocking',
  confidence: '1 for the statement itself; whether the ad keeps to it is not part of the verdict.',
  thresholds: z.strictObject({
    sizes: z
      .array(z.string().regex(/^[1-9]\d*x[1-9]\d*$/))
      .default([])
      .meta({
        title: 'Allowed sizes, as 300x250',
        unit: 'px',
        source: 'Reasoned: the size in the file name where none is listed; IAB New Ad Portfolio (2017) for display ads',
      }),
  }),
  run({ media, claims, name }, { sizes }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    const standard = 'Google Ad Manager, HTML5 guidelines (ad.size)'
    const tag = (start.text.match(META) ?? []).find((one) => NAME.test(one))
    const stated = tag ? SIZE.exec(tag) : null
    const claimed = claims.width && claims.height ? `${claims.width}x${claims.height}` : null
    const wanted = sizes.length > 0 ? sizes : claimed ? [claimed] : []
    const list = anyOf(wanted.map((size) => size.replace('x', ' × ')))
    const example = (wanted[0] ?? '300x250').split('x')
    const line = `<meta name="ad.size" content="width=${example[0]},height=${example[1]}">`
    if (!stated) {
      return fail(
        `“${start.path}” ${tag ? `states its size in a form nobody reads (${tag})` : 'does not state its size'}; a meta tag ad.size is wanted.`,
        {
          measured: 'none',
          expected: list ? `${list} px` : 'ad.size',
          standard,
          fix: `Put ${line} into the head of “${start.path}”, with the real size of the ad.`,
        },
      )
    }
    const width = Number(stated[1])
    const height = Number(stated[2])
    const measured = `${width}x${height}`
    const has = `The ad states ${pixelSize(width, height)}`
    const extras = { measured, unit: 'px', ...(wanted.length > 0 && { expected: wanted.join(', ') }), standard }
    if (wanted.length === 0)
      return pass(`${has}; no size is set for this media category and the name states none.`, extras)
    const says = sizes.length > 0 ? `${list} px is wanted` : `the name says ${list} px`
    if (wanted.includes(measured)) return pass(`${has}; ${says}.`, extras)
    return fail(`${has}; ${says}.`, {
      ...extras,
      fix: `If the ad really is ${list} px, write ${line} in “${start.path}”; otherwise build “${name}” at that size.`,
    })
  },
})
