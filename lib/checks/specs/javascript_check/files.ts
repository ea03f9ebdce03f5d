import { writeFileSync } from 'node:fs'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { stream } from '@/fixtures/pdf'
import { write } from '../document-files'
import { bad, good } from '../files'

const link = (action: string) =>
  write({
    pages: [
      { entries: `/Annots [<< /Type /Annot /Subtype /Link /Rect [50 50 200 100] /Border [0 0 0] /A ${action} >>]` },
    ],
  })

const field = (entries: string) =>
  write({
    pages: [{ entries: '/Annots [10 0 R]' }],
    catalogue: '/AcroForm << /Fields [10 0 R] >>',
    objects: {
      10: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /Rect [50 50 200 100] /P 100 0 R ${entries} >>`,
      11: stream('', 'app.alert("hello")'),
    },
  })

export const FILES = [
  good('plain.pdf', write({ pages: [{}] })),
  good('address.pdf', link('<< /S /URI /URI (https://example.com/javascript) >>')),
  good('next-page.pdf', link('<< /S /Named /N /NextPage >>')),
  good('form.pdf', field('/V (JS)')),
  good('go-to.pdf', link('<< /S /GoTo /D [100 0 R /Fit] >>')),
  bad('field.pdf', field('/AA << /K << /S /JavaScript /JS (event.rc = true) >> >>')),
  bad('field-stream.pdf', field('/AA << /F << /S /JavaScript /JS 11 0 R >> >>')),
  bad('link.pdf', link('<< /S /JavaScript /JS (app.alert\\(1\\)) >>')),
  bad('after-a-link.pdf', link('<< /S /URI /URI (https://example.com) /Next << /S /JavaScript /JS (1) >> >>')),
  bad('launch.pdf', link('<< /S /Launch /F (setup.exe) >>')),
  bad('packed.pdf', async (file) => {
    const document = await PDFDocument.create()
    const page = document.addPage()
    const script = {
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [0, 0, 90, 90],
      A: { S: 'JavaScript', JS: PDFName.of('x') },
    }
    page.node.set(PDFName.of('Annots'), document.context.obj([document.context.register(document.context.obj(script))]))
    writeFileSync(file, await document.save({ useObjectStreams: true }))
  }),
]
