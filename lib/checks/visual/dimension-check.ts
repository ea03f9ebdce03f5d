import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { anyOf, bounds, pixelSize } from '../wording'
import { nearestSize, parseSize, sizeAsSeen } from './size'

const bound = (title: string) =>
  z.number().int().positive().nullable().default(null).meta({ title, unit: 'px', source: 'Reasoned: none unless set' })

export const dimensionCheck = mediaCheck({
  id: 'dimension_check',
  label: 'Dimensions',
  kinds: ['image', 'video'],
  describe:
    'Width and height as people see them (rotation and pixel shape applied), against the sizes of the media category; where it lists none, against the size the file name says.',
  severity: 'blocking',
  thresholds: z.strictObject({
    sizes: z
      .array(z.string().regex(/^[1-9]\d*x[1-9]\d*$/))
      .default([])
      .meta({
        title: 'Allowed sizes, as 300x250',
        unit: 'px',
        source: 'Reasoned: the size in the file name where none is listed. IAB New Ad Portfolio (2017) for display ads',
      }),
    min_width: bound('Least width'),
    max_width: bound('Greatest width'),
    min_height: bound('Least height'),
    max_height: bound('Greatest height'),
  }),
  run({ media, name, claims, kind }, thresholds) {
    const seen = sizeAsSeen(media)
    const what = kind === 'image' ? 'image' : 'video'
    const has = `The ${what} is ${pixelSize(seen.width, seen.height)}`
    const measured = `${seen.width}x${seen.height}`
    const fix = (width: number, height: number) =>
      `Export “${name}” at ${pixelSize(width, height)} from its source; the file is ${pixelSize(seen.width, seen.height)}.`

    const width = bounds(thresholds.min_width, thresholds.max_width, (value) => `${value} px`)
    const height = bounds(thresholds.min_height, thresholds.max_height, (value) => `${value} px`)
    if (thresholds.sizes.length > 0) {
      const sizes = thresholds.sizes.map(parseSize)
      const list = anyOf(sizes.map((size) => pixelSize(size.width, size.height)))
      const extras = { measured, expected: thresholds.sizes.join(', '), unit: 'px' }
      if (thresholds.sizes.includes(measured)) return pass(`${has}, as wanted.`, extras)
      const nearest = nearestSize(sizes, seen) ?? seen
      return fail(`${has}; ${list} is wanted.`, { ...extras, fix: fix(nearest.width, nearest.height) })
    }
    if (width !== null || height !== null) {
      const within = (value: number, least: number | null, most: number | null) =>
        (least === null || value >= least) && (most === null || value <= most)
      const wanted = [width && `${width} wide`, height && `${height} high`].filter(Boolean).join(' and ')
      const extras = { measured, expected: wanted, unit: 'px' }
      return within(seen.width, thresholds.min_width, thresholds.max_width) &&
        within(seen.height, thresholds.min_height, thresholds.max_height)
        ? pass(`${has}; ${wanted} is wanted.`, extras)
        : fail(`${has}; ${wanted} is wanted.`, {
            ...extras,
            fix: `Export “${name}” ${wanted} from its source; the file is ${pixelSize(seen.width, seen.height)}.`,
          })
    }
    if (claims.width && claims.height) {
      const extras = { measured, expected: `${claims.width}x${claims.height}`, unit: 'px' }
      if (claims.width === seen.width && claims.height === seen.height) return pass(`${has}, as the name says.`, extras)
      return fail(`${has}; the name says ${pixelSize(claims.width, claims.height)}.`, {
        ...extras,
        fix: fix(claims.width, claims.height),
      })
    }
    return skip(`${has}; neither its media category nor a naming convention asks for a size.`)
  },
})
