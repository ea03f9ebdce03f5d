import { box, type PdfParts, stream } from '@/fixtures/pdf'
import { A4, RECTANGLE, TEXT, write } from '../document-files'
import { bad, good, sharing } from '../files'

const intent = (subtype: string) =>
  `/OutputIntents [<< /Type /OutputIntent /S /${subtype} /OutputConditionIdentifier (FOGRA51) /RegistryName (http://www.color.org) >>]`

const xmp = (version: string) =>
  stream(
    '/Type /Metadata /Subtype /XML',
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><pdfxid:GTS_PDFXVersion>${version}</pdfxid:GTS_PDFXVersion></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  )
const page = { content: `0 0 0 1 k ${RECTANGLE}`, entries: box('TrimBox', A4, 5) }

const x4 = (changes: Partial<PdfParts> = {}, subtype = 'GTS_PDFX', version = 'PDF/X-4') =>
  write({
    pages: [page],
    catalogue: `/Metadata 10 0 R ${intent(subtype)}`,
    ...changes,
    objects: { 10: xmp(version), ...changes.objects },
  })

const x1a = (changes: Partial<PdfParts> = {}) =>
  write({
    version: '1.4',
    pages: [page],
    catalogue: intent('GTS_PDFX'),
    information: '/GTS_PDFXVersion (PDF/X-1a:2003) /Title (Page)',
    ...changes,
  })
const old = { thresholds: { versions: ['PDF/X-1a'] } }
const spot =
  '/ColorSpace << /S [/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>] >>'
const calibrated = '/ColorSpace << /C [/CalRGB << /WhitePoint [0.95 1 1.09] >>] >>'
const lab = '/ColorSpace << /L [/Lab << /WhitePoint [0.96 1 0.82] >>] >>'
const see = '/ExtGState << /G << /Type /ExtGState /ca 0.5 >> >>'

export const FILES = sharing({ thresholds: { versions: ['PDF/X-4'] } }, [
  good('x4.pdf', x4()),
  good('x4-see-through.pdf', x4({ pages: [{ ...page, resources: see }] })),
  good('x1a-2003.pdf', x1a(), old),
  // The edition of 2001 states PDF/X-1 and the conformance beside it (ISO 15930-1, 6.13).
  good('x1a-2001.pdf', x1a({ information: '/GTS_PDFXVersion (PDF/X-1:2001) /GTS_PDFXConformance (PDF/X-1a:2001)' }), {
    onceWrong: true,
    ...old,
  }),
  bad('plain.pdf', write({ pages: [page] })),
  bad('x3.pdf', x4({}, 'GTS_PDFX', 'PDF/X-3:2003')),
  bad('no-intent.pdf', x4({ catalogue: '/Metadata 10 0 R' })),
  // The output intent of an archive copy is none of a print job.
  bad('intent-of-pdfa.pdf', x4({}, 'GTS_PDFA1'), { onceWrong: true }),
  bad(
    'font-missing.pdf',
    x4({
      pages: [
        {
          ...page,
          content: TEXT,
          resources: '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
        },
      ],
    }),
  ),
  bad('x1a-see-through.pdf', x1a({ pages: [{ ...page, content: `/G gs ${RECTANGLE}`, resources: see }] }), old),
  good('x1a-spot.pdf', x1a({ pages: [{ ...page, content: `/S cs 1 scn ${RECTANGLE}`, resources: spot }] }), old),
  good('x1a-rgb-unused.pdf', x1a({ pages: [{ ...page, resources: `/ColorSpace << /R /DeviceRGB >>` }] }), old),
  good('x4-rgb.pdf', x4({ pages: [{ ...page, content: `/C cs 1 0 0 scn ${RECTANGLE}`, resources: calibrated }] })),
  bad('x1a-rgb.pdf', x1a({ pages: [{ ...page, content: `1 0 0 rg ${RECTANGLE}` }] }), { onceWrong: true, ...old }),
  bad('x1a-lab.pdf', x1a({ pages: [{ ...page, content: `/L cs 50 20 20 scn ${RECTANGLE}`, resources: lab }] }), old),
  bad(
    'x1a-calibrated.pdf',
    x1a({ pages: [{ ...page, content: `/C cs 1 0 0 scn ${RECTANGLE}`, resources: calibrated }] }),
    old,
  ),
  bad('no-trim.pdf', x4({ pages: [{ content: `0 0 0 1 k ${RECTANGLE}` }] }), { onceWrong: true }),
  bad('x1a-trim-and-art.pdf', x1a({ pages: [{ ...page, entries: `${page.entries} ${box('ArtBox', A4, 8)}` }] }), old),
  good('x4-art.pdf', x4({ pages: [{ ...page, entries: box('ArtBox', A4, 5) }] })),
  bad('x1-without-a.pdf', x1a({ information: '/GTS_PDFXVersion (PDF/X-1:2001) /GTS_PDFXConformance (PDF/X-1:2001)' }), {
    onceWrong: true,
    ...old,
  }),
])
