import { serve } from '@/lib/sandbox/serve'
import { annotatePdf } from './annotate-pdf'
import type { AnnotatorJobs } from './protocol'

/** The program that writes comments into copies of PDFs (protocol.ts). */
await serve<AnnotatorJobs>({ jobs: { annotate: annotatePdf } })
