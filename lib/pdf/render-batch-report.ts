import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { drawDocument } from './document'
import type { Block } from './pages'
import { reportFile } from './parts/report-file'
import { reportHeading } from './parts/report-heading'
import { Typesetter } from './typesetter'

/** Renders what Pre-QC says of a batch as tagged PDF 1.7, the worst files first. The same report gives the same bytes. */
export async function renderBatchReport(report: BatchReport): Promise<Buffer> {
  const set = await Typesetter.for(textsOf(report))
  const files = [...report.files].sort((a, b) => rank(a) - rank(b))
  const blocks: Block[] = [...reportHeading(set, report), ...files.flatMap((file) => reportFile(set, file))]
  const facts = {
    title: `${report.batch.name}: Pre-QC report`,
    subject: `${report.project.name}, ${report.agency.name}`,
    language: 'en',
    madeAt: new Date(report.generated_at),
  }
  const frame = {
    running: `${report.batch.name}  Pre-QC report`,
    owner: report.agency.name,
    foot: `${report.project.name}, made ${report.generated_at.slice(0, 16).replace('T', ' ')} UTC`,
  }
  return drawDocument(set, facts, frame, blocks)
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
