import { RECTANGLE, write } from '../document-files'
import { bad, good, sharing } from '../files'

const LAYER = { 10: '<< /Type /OCG /Name (Notes) >>' }
const layered = (state: string, content = `/OC /L BDC ${RECTANGLE} EMC`) =>
  write({
    catalogue: `/OCProperties << /OCGs [10 0 R] /D << ${state} >> >>`,
    pages: [{ content, resources: '/Properties << /L 10 0 R >>' }],
    objects: LAYER,
  })
const none = { thresholds: { rule: 'none' } }

export const FILES = sharing({ thresholds: { rule: 'none_hidden' } }, [
  good('flat.pdf', write({ pages: [{ content: RECTANGLE }] })),
  good('flat-where-none-is-wanted.pdf', write({ pages: [{ content: RECTANGLE }] }), none),
  good('shown.pdf', layered('/Order [10 0 R]')),
  good('on-after-all.pdf', layered('/BaseState /OFF /ON [10 0 R]')),
  bad('off.pdf', layered('/OFF [10 0 R]')),
  bad('all-off.pdf', layered('/BaseState /OFF')),
  bad('off-and-empty.pdf', layered('/OFF [10 0 R]', RECTANGLE)),
  bad('shown-where-none-is-wanted.pdf', layered('/Order [10 0 R]'), none),
])
