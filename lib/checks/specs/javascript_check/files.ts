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

const opened = (catalogue: string, entries = '') =>
  write({ catalogue, pages: [{ entries }], objects: { 11: stream('', 'app.alert(1)') } })
const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const form = (xfa: string) =>
  write({
    pages: [{}],
    catalogue: '/AcroForm << /Fields [] /XFA 10 0 R >>',
    objects: { 10: stream('', `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${xfa}</xdp:xdp>`) },
  })

export const FILES = [
  bad('at-opening.pdf', opened(`/OpenAction ${SCRIPT}`), { onceWrong: true }),
  bad('at-opening-stream.pdf', opened('/OpenAction << /S /JavaScript /JS 11 0 R >>')),
  bad('named.pdf', opened(`/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>`)),
  bad('at-closing.pdf', opened(`/AA << /WC ${SCRIPT} >>`)),
  bad('of-a-page.pdf', opened('', `/AA << /O ${SCRIPT} >>`)),
  bad('after-another.pdf', opened(`/OpenAction << /S /GoTo /D [100 0 R /Fit] /Next [${SCRIPT}] >>`)),
  bad('rendition.pdf', opened('/OpenAction << /S /Rendition /OP 0 /JS (app.alert\\(1\\)) >>')),
  bad('spelt-in-numbers.pdf', opened('/Open#41ction << /S /J#61vaScript /#4aS (1) >>')),
  bad('xfa.pdf', form('<event><script contentType="application/x-javascript">1</script></event>')),
  bad('in-an-address.pdf', link('<< /S /URI /URI (javascript:app.alert\\(1\\)) >>')),
  bad('launch-at-opening.pdf', opened('/OpenAction << /S /Launch /F (setup.exe) >>')),
  good('opens-at-a-page.pdf', opened('/OpenAction [100 0 R /Fit]')),
  good('opens-by-action.pdf', opened('/OpenAction << /S /GoTo /D [100 0 R /Fit] >>')),
  good('xfa-without-script.pdf', form('<template/>')),
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
