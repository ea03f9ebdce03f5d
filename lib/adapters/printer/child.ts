import { render } from '@/lib/pdf/render'
import { serve } from '@/lib/sandbox/serve'
import type { PrinterJobs } from './protocol'

/** The program that draws documents as PDF (protocol.ts). */
await serve<PrinterJobs>({ jobs: { print: async (document) => (await render(document)).toString('base64') } })
