import { serve } from '@/lib/sandbox/serve'
import type { SeparatorJobs } from './protocol'
import { separatePage } from './separate-page'

/** The program that separates pages of PDFs into plates (protocol.ts). */
await serve<SeparatorJobs>({ jobs: { separate: separatePage } })
