import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { anyOf, pixelSize } from '../wording'
import { lacksLibraries, startDocument, statedSize } from './start-document'

/** CSS pixels by which what is drawn may differ: half pixels are rounded. */
const TOLERANCE = 1

export const adSizeCheck = mediaCheck({
  id: 'ad_size_check',
  label: 'Size of the ad',
  kinds: ['archive'],
  describe:
    'The size an HTML5 ad states in its meta tag ad.size, against the sizes of the media category or the size the file name says, and against what the ad really draws when it runs in a frame of that size.',
  severity: 'blocking',
  confidence:
    '1 for the statement. What is drawn: 0.9 where one element fills it from its corner, 0.7 where it is what all elements cover; 0.6 without libraries of other servers.',
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
  run({ media, claims, name, measures: { banner } }, { sizes }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    const standard = 'Google Ad Manager, HTML5 guidelines (ad.size)'
    const statement = statedSize(start.text)
    const stated = statement?.size
    const claimed = claims.width && claims.height ? `${claims.width}x${claims.height}` : null
    const wanted = sizes.length > 0 ? sizes : claimed ? [claimed] : []
    const list = anyOf(wanted.map((size) => size.replace('x', ' × ')))
    const example = (wanted[0] ?? '300x250').split('x')
    const line = `<meta name="ad.size" content="width=${example[0]},height=${example[1]}">`
    if (!stated) {
      return fail(
        `“${start.path}” ${statement ? `states its size in an unknown form (${statement.tag})` : 'does not state its size'}; a meta tag ad.size is wanted.`,
        {
          measured: 'none',
          expected: list ? `${list} px` : 'ad.size',
          standard,
          fix: `Put ${line} into the head of “${start.path}”, with the real size of the ad.`,
        },
      )
    }
    const { width, height } = stated
    const measured = `${width}x${height}`
    const has = `The ad states ${pixelSize(width, height)}`
    const stage = banner?.stage && !banner.stage.isEmpty ? banner.stage : null
    const isAsStated = (['width', 'height'] as const).every(
      (side) => !stage || Math.abs(stage[side] - stated[side]) <= TOLERANCE,
    )
    if (stage && banner && !isAsStated) {
      const drawn = pixelSize(stage.width, stage.height)
      return fail(`${has}, but draws ${drawn}${banner.frame.width === width ? ' in a frame of that size' : ''}.`, {
        measured: `${Math.round(stage.width)}x${Math.round(stage.height)}`,
        expected: measured,
        unit: 'px',
        standard,
        confidence: lacksLibraries(banner) ? 0.6 : stage.isElement ? 0.9 : 0.7,
        fix: `Set the stage of “${start.path}” to width: ${width}px; height: ${height}px; overflow: hidden with no margin around it, or state ${drawn} in ad.size.`,
      })
    }
    const drawn = stage ? ' and draws it' : ''
    const extras = { measured, unit: 'px', ...(wanted.length > 0 && { expected: wanted.join(', ') }), standard }
    if (wanted.length === 0)
      return pass(`${has}${drawn}; neither its media category nor a naming convention asks for a size.`, extras)
    const says = sizes.length > 0 ? `${list} px is wanted` : `the name says ${list} px`
    if (wanted.includes(measured)) return pass(`${has}${drawn}; ${says}.`, extras)
    return fail(`${has}; ${says}.`, {
      ...extras,
      fix: `If the ad really is ${list} px, write ${line} in “${start.path}”; otherwise build “${name}” at that size.`,
    })
  },
})
