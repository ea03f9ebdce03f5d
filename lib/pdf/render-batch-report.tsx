import { Document, renderToBuffer } from '@react-pdf/renderer'
import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { type Block, cutIntoPages } from './pages'
import { bodyHeight } from './paper'
import { Sheet } from './parts/page-frame'
import { reportFile } from './parts/report-file'
import { reportHeading } from './parts/report-heading'
import { Typesetter } from './typesetter'

/** Renders what Pre-QC says of a batch as PDF 1.7, the worst files first. The same report gives the same bytes. */
export async function renderBatchReport(report: BatchReport): Promise<Buffer> {
  const set = await Typesetter.for(textsOf(report))
  const files = [...report.files].sort((a, b) => rank(a) - rank(b))
  const blocks: Block[] = [...reportHeading(set, report), ...files.flatMap((file) => reportFile(set, file))]
  const pages = cutIntoPages(blocks, bodyHeight)
  const made = new Date(report.generated_at)
  const frame = {
    running: `${report.batch.name}  Pre-QC report`,
    owner: report.agency.name,
    foot: `${report.project.name}, made ${report.generated_at.slice(0, 16).replace('T', ' ')} UTC`,
  }
  return renderToBuffer(
    <Document
      title={set.clean(`${report.batch.name}: Pre-QC report`)}
      subject={set.clean(`${report.project.name}, ${report.agency.name}`)}
      creator="Greenroom"
      producer="Greenroom"
      language="en"
      pdfVersion="1.7"
      creationDate={made}
      modificationDate={made}
      pageMode="useNone"
    >
      {pages.map((placed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages are drawn once
        <Sheet key={index} set={set} frame={frame} placed={placed} index={index} count={pages.length} />
      ))}
    </Document>,
  )
}

const ORDER = ['fail', 'warning', null, 'not_applicable', 'pass'] as const
const rank = ({ result }: BatchReport['files'][number]) => ORDER.indexOf(result?.summary ?? null)

/** Every text that a person or a file may have brought. */
function textsOf({ batch, project, agency, files }: BatchReport): string[] {
  return [
    batch.name,
    batch.media_category.name,
    project.name,
    agency.name,
    ...files.flatMap(({ name, result }) => [
      name,
      result?.failure ?? '',
      ...(result?.checks ?? []).flatMap(({ label, details, fix, waiver }) => [
        label,
        details,
        fix ?? '',
        waiver?.reason ?? '',
        waiver?.by.name ?? '',
      ]),
    ]),
    // What the parts themselves write.
    '—…·–×',
  ]
}
