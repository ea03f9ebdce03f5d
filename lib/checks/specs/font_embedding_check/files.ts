import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type PdfParts, pdf, stream } from '@/fixtures/pdf'
import { TEXT } from '../document-files'
import { bad, good } from '../files'

/** A licence-free font of the product's own papers. */
const fontBytes = () =>
  readFileSync(
    createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  )

const descriptor = (name: string, file = '') =>
  `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [-600 -300 1500 1100] /ItalicAngle 0 /Ascent 1069 /Descent -293 /CapHeight 714 /StemV 80 ${file} >>`
const WIDTHS = `/FirstChar 32 /LastChar 34 /Widths [260 268 408]`

const embedded = () => ({
  10: `<< /Type /Font /Subtype /TrueType /BaseFont /NotoSans ${WIDTHS} /Encoding /WinAnsiEncoding /FontDescriptor 11 0 R >>`,
  11: descriptor('NotoSans', '/FontFile2 12 0 R'),
  12: stream(`/Length1 ${fontBytes().length}`, fontBytes()),
})

const composite = (file: string) => ({
  10: '<< /Type /Font /Subtype /Type0 /BaseFont /NotoSans /Encoding /Identity-H /DescendantFonts [13 0 R] >>',
  11: descriptor('NotoSans', file),
  12: stream(`/Length1 ${fontBytes().length}`, fontBytes()),
  13: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /NotoSans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 11 0 R /CIDToGIDMap /Identity /DW 600 >>',
})

const drawn = {
  10: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 100 100] /FontMatrix [0.01 0 0 0.01 0 0] /CharProcs << /a 14 0 R >> /Encoding << /Type /Encoding /Differences [33 /a] >> /FirstChar 33 /LastChar 33 /Widths [100] /Resources << >> >>',
  14: stream('', '100 0 0 0 100 100 d1 10 10 80 80 re f'),
}
const standard = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const uses = '/Font << /F1 10 0 R >>'

const text =
  (objects: () => PdfParts['objects'], resources = uses, content = TEXT) =>
  (file: string) =>
    writeFileSync(file, pdf({ pages: [{ content, resources }], objects: objects() }))

const subsets = { thresholds: { require_subset: true } }
const SECOND = 'BT /F2 24 Tf 60 600 Td (!) Tj ET'

export const FILES = [
  good(
    'one-listed-only.pdf',
    text(() => ({ ...embedded(), 20: standard }), '/Font << /F1 10 0 R /F2 20 0 R >>'),
    { onceWrong: true },
  ),
  good(
    'one-set-and-not-shown.pdf',
    text(() => ({ ...embedded(), 20: standard }), '/Font << /F1 10 0 R /F2 20 0 R >>', `${TEXT} BT /F2 9 Tf ET`),
  ),
  good(
    'one-invisible.pdf',
    text(() => ({ ...embedded(), 20: standard }), '/Font << /F1 10 0 R /F2 20 0 R >>', `${TEXT} 3 Tr ${SECOND}`),
  ),
  bad('in-a-form.pdf', (file) =>
    writeFileSync(
      file,
      pdf({
        pages: [{ content: `${TEXT} /Fm Do`, resources: `${uses} /XObject << /Fm 21 0 R >>` }],
        objects: {
          ...embedded(),
          20: standard,
          21: stream(
            '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F2 20 0 R >> >>',
            SECOND,
          ),
        },
      }),
    ),
  ),
  good('embedded.pdf', text(embedded)),
  good(
    'composite.pdf',
    text(() => composite('/FontFile2 12 0 R'), uses, 'BT /F1 24 Tf 60 700 Td <0024> Tj ET'),
  ),
  good(
    'drawn.pdf',
    text(() => drawn),
  ),
  good(
    'drawn-and-embedded.pdf',
    text(() => ({ ...embedded(), 20: drawn[10], 14: drawn[14] }), '/Font << /F1 10 0 R /F2 20 0 R >>'),
  ),
  good(
    'subset.pdf',
    text(() => ({ ...embedded(), 10: embedded()[10].replace('/NotoSans', '/ABCDEF+NotoSans') })),
    subsets,
  ),
  bad('whole.pdf', text(embedded), subsets),
  bad(
    'standard.pdf',
    text(() => ({ 10: standard })),
  ),
  bad(
    'described.pdf',
    text(() => ({ ...embedded(), 11: descriptor('NotoSans') })),
  ),
  bad(
    'composite-missing.pdf',
    text(() => composite(''), uses, 'BT /F1 24 Tf 60 700 Td <0024> Tj ET'),
  ),
  bad(
    'one-of-two.pdf',
    text(() => ({ ...embedded(), 20: standard }), '/Font << /F1 10 0 R /F2 20 0 R >>', `${TEXT} ${SECOND}`),
  ),
  bad(
    'drawn-refused.pdf',
    text(() => drawn),
    { thresholds: { allow_type3: false } },
  ),
]
