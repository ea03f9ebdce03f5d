import type { Certificate } from '@/lib/domain/certificates/schema'
import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import type { ContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import type { BatchReport } from '@/lib/domain/pre-qc/report'

/** Every document the service prints, with all that is on it: plain data, so that another process can draw it. */
export type Printable =
  | { kind: 'estimate'; sheet: EstimateSheet }
  | { kind: 'certificate'; certificate: Certificate }
  | { kind: 'report'; report: BatchReport }
  | { kind: 'contact_sheet'; sheet: ContactSheet; images: Record<string, string> }
