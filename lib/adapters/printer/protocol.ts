import type { Printable } from '@/lib/pdf/printable'

/** The result is a PDF in base64. */
export type PrinterJobs = { print: { request: Printable; result: string } }
