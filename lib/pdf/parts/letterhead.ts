import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'

const LOGO = { width: 190, height: 48 }
const ADDRESS = { width: 220, size: 8, leading: 11 }
const NAME = { size: 15, leading: 19 }

/** Who sends the estimate: the logo or the name at the left, name, address and tax number at the right. */
export function letterhead(set: Typesetter, { letterhead: { name, address, taxId, logo } }: EstimateSheet): Block[] {
  const nameWidth = BODY_WIDTH - ADDRESS.width - 24
  const large = logo ? [] : set.shortened(name, nameWidth, NAME.size, 3, 700)
  const small = logo ? set.shortened(name, ADDRESS.width, ADDRESS.size, 3, 700) : []
  const lines = set
    .lines([address, taxId && `Tax ID ${taxId}`].filter(Boolean).join('\n'), ADDRESS.width, ADDRESS.size)
    .filter((line) => line.text !== '')
    .slice(0, 9)
  const image = logo && scaled(logo, LOGO)
  const height = Math.max(
    image?.height ?? 0,
    large.length * NAME.leading,
    (small.length + lines.length) * ADDRESS.leading,
  )
  if (height === 0) return []
  const right = {
    left: BODY_WIDTH - ADDRESS.width,
    width: ADDRESS.width,
    align: 'right',
    leading: ADDRESS.leading,
  } as const
  const logoTag = new Tag('Figure', { alt: name === '' ? 'Logo' : `Logo of ${name}` })
  const owner = new Tag('P')
  const imprint = new Tag('P')
  return [
    {
      height: height + 34,
      tags: [...(image ? [logoTag] : []), owner, imprint],
      draw: (pen) => {
        if (logo && image) pen.image(Buffer.from(logo.data, 'base64'), { ...image, tag: logoTag })
        pen.lines(large, { width: nameWidth, size: NAME.size, leading: NAME.leading, tag: owner })
        pen.lines(small, { ...right, size: ADDRESS.size, tag: owner })
        const top = small.length * ADDRESS.leading
        pen.lines(lines, { ...right, top, size: ADDRESS.size, color: COLOR.muted, tag: imprint })
      },
    },
  ]
}

function scaled(size: { width: number; height: number }, into: { width: number; height: number }) {
  const scale = Math.min(into.width / size.width, into.height / size.height)
  return { width: size.width * scale, height: size.height * scale }
}
