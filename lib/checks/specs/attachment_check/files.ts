import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { stream } from '@/fixtures/pdf'
import { write } from '../document-files'
import { bad, good, sharing } from '../files'

const attached =
  (...names: string[]) =>
  async (file: string) => {
    const document = await PDFDocument.create()
    document.addPage([300, 300])
    for (const name of names) await document.attach(Buffer.from('a,b'), name, { mimeType: 'text/csv' })
    writeFileSync(file, await document.save())
  }

export const FILES = sharing({ thresholds: { rule: 'none' } }, [
  good('plain.pdf', attached()),
  good('empty-tree.pdf', write({ pages: [{}], catalogue: '/Names << /EmbeddedFiles << /Names [] >> >>' })),
  good('a-comment.pdf', write({ pages: [{ entries: '/Annots [<< /Subtype /Text /Rect [9 9 20 20] >>]' }] })),
  bad('one.pdf', attached('prices.csv')),
  bad('three.pdf', attached('a.csv', 'b.csv', 'c.csv')),
  bad(
    'on-a-page.pdf',
    write({
      pages: [
        {
          entries:
            '/Annots [<< /Subtype /FileAttachment /Rect [9 9 20 20] /FS << /F (a.txt) /EF << /F 10 0 R >> >> >>]',
        },
      ],
      objects: { 10: stream('/Type /EmbeddedFile', 'a') },
    }),
  ),
])
