import { RECTANGLE, write } from '../document-files'
import { bad, good, sharing } from '../files'

const intent = (identifier: string, subtype = 'GTS_PDFX', key = 'OutputConditionIdentifier') =>
  write({
    pages: [{ content: `0 0 0 1 k ${RECTANGLE}` }],
    catalogue: `/OutputIntents [<< /Type /OutputIntent /S /${subtype} /${key} (${identifier}) /RegistryName (http://www.color.org) >>]`,
  })
const both = write({
  pages: [{ content: `0 0 0 1 k ${RECTANGLE}` }],
  catalogue:
    '/OutputIntents [<< /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) >> << /S /GTS_PDFX /OutputConditionIdentifier (FOGRA51) >>]',
})

export const FILES = sharing({ thresholds: { conditions: ['FOGRA51', 'FOGRA39'] } }, [
  good('fogra51.pdf', intent('FOGRA51')),
  good('fogra39.pdf', intent('Coated FOGRA39 \\(ISO 12647-2:2004\\)')),
  good('described.pdf', intent('PSO Coated v3, FOGRA51', 'GTS_PDFX', 'OutputCondition')),
  good('beside-an-archive.pdf', both),
  bad('fogra52.pdf', intent('FOGRA52')),
  bad('swop.pdf', intent('CGATS TR 001')),
  bad('archive-alone.pdf', intent('FOGRA51', 'GTS_PDFA1')),
  bad('none.pdf', write({ pages: [{ content: `0 0 0 1 k ${RECTANGLE}` }] })),
])
