import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import { drawDocument } from './document'
import type { Block } from './pages'
import { approvals } from './parts/approvals'
import { heading } from './parts/heading'
import { letterhead } from './parts/letterhead'
import { lineTable } from './parts/line-table'
import { prose } from './parts/prose'
import { totals } from './parts/totals'
import { Typesetter } from './typesetter'

/**
 * Renders an estimate as tagged PDF 1.7. The same sheet gives the same bytes: dates and identifier come from the sheet.
 * The cost grows linearly with the lines.
 */
export async function renderEstimate(sheet: EstimateSheet): Promise<Buffer> {
  const set = await Typesetter.for(textsOf(sheet))
  const facts = {
    title: `${sheet.number} ${sheet.title}`,
    author: sheet.letterhead.name || sheet.preparedBy,
    subject: `Estimate for ${sheet.client}, ${sheet.project}, revision ${sheet.revision}`,
    keywords: `estimate, ${sheet.number}, ${sheet.currency}`,
    language: sheet.language,
    madeAt: new Date(sheet.issuedAt),
  }
  const frame = {
    running: `${sheet.number}  ${sheet.title}`,
    owner: sheet.letterhead.name,
    foot: `Estimate ${sheet.number}, revision ${sheet.revision}`,
  }
  return drawDocument(set, facts, frame, blocksOf(set, sheet))
}

function blocksOf(set: Typesetter, sheet: EstimateSheet): Block[] {
  const lines = lineTable(set, sheet)
  const last = lines.at(-1)
  // The totals never stand on a page alone.
  if (last) lines[lines.length - 1] = { ...last, keepsWithNext: true }
  return [
    ...letterhead(set, sheet),
    ...heading(set, sheet),
    ...lines,
    totals(set, sheet),
    ...approvals(set, sheet),
    ...prose(set, 'Notes', sheet.notes),
    ...prose(set, 'Terms', sheet.letterhead.terms),
  ]
}

/** Every text a person typed. */
function textsOf(sheet: EstimateSheet): string[] {
  const { letterhead: head } = sheet
  return [
    sheet.title,
    sheet.client,
    sheet.project,
    sheet.preparedBy,
    sheet.status,
    sheet.notes,
    ...[head.name, head.address, head.taxId, head.terms],
    ...[sheet.discount?.label ?? '', sheet.tax?.label ?? ''],
    ...sheet.lines.map(({ description }) => description),
    ...sheet.approvals.flatMap(({ step, who, comment }) => [step, who, comment]),
    // What the parts themselves write.
    '—…·–',
  ]
}
