import { Document, renderToBuffer } from '@react-pdf/renderer'
import type { EstimateSheet } from './estimate-sheet'
import { type Block, cutIntoPages } from './pages'
import { bodyHeight } from './paper'
import { approvals } from './parts/approvals'
import { heading } from './parts/heading'
import { letterhead } from './parts/letterhead'
import { lineTable } from './parts/line-table'
import { Sheet } from './parts/page-frame'
import { prose } from './parts/prose'
import { totals } from './parts/totals'
import { Typesetter } from './typesetter'

/**
 * Renders an estimate as PDF 1.7. The same sheet gives the same bytes: dates and identifier come from the sheet.
 *
 * Everything is measured and cut into pages before react-pdf sees it, and painted at known places: its own pagination
 * looks at the rest of the document again for every page. So the cost grows linearly with the lines.
 */
export async function renderEstimate(sheet: EstimateSheet): Promise<Buffer> {
  const set = await Typesetter.for(textsOf(sheet))
  const pages = cutIntoPages(blocksOf(set, sheet), bodyHeight)
  const issuedAt = new Date(sheet.issuedAt)
  const frame = {
    running: `${sheet.number}  ${sheet.title}`,
    owner: sheet.letterhead.name,
    foot: `Estimate ${sheet.number}, revision ${sheet.revision}`,
  }
  return renderToBuffer(
    <Document
      title={set.clean(`${sheet.number} ${sheet.title}`)}
      author={set.clean(sheet.letterhead.name || sheet.preparedBy)}
      subject={set.clean(`Estimate for ${sheet.client}, ${sheet.project}, revision ${sheet.revision}`)}
      keywords={`estimate, ${sheet.number}, ${sheet.currency}`}
      creator="Greenroom"
      producer="Greenroom"
      language={sheet.language}
      pdfVersion="1.7"
      creationDate={issuedAt}
      modificationDate={issuedAt}
      pageMode="useNone"
    >
      {pages.map((placed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages are drawn once
        <Sheet key={index} set={set} frame={frame} placed={placed} index={index} count={pages.length} />
      ))}
    </Document>,
  )
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
