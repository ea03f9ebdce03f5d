import { writeFileSync } from 'node:fs'
import { type PdfParts, pdf } from '@/fixtures/pdf'

export const A4 = [210, 297] as const

export const write = (parts: PdfParts) => (file: string) => writeFileSync(file, pdf(parts))

export const onePage = (content: string, resources = '', more: Partial<PdfParts> = {}) =>
  write({ ...more, pages: [{ content, resources }] })

export const TEXT = 'BT /F1 24 Tf 60 700 Td (!) Tj ET'

export const RECTANGLE = '50 50 200 200 re f'
