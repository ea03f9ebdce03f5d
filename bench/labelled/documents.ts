import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFDocument, PDFName, rgb } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { box, type PdfParts, pdf, stream } from '@/fixtures/pdf'
import { codeDrawing, photoJpeg } from './images'
import { bad, filesOf, good, type Labelled } from './labelled'

const A4 = [210, 297] as const
const write = (parts: PdfParts) => (file: string) => writeFileSync(file, pdf(parts))
const onePage = (content: string, resources = '', more: Partial<PdfParts> = {}) =>
  write({ ...more, pages: [{ content, resources }] })

function pageCounts(): Labelled[] {
  const pages = (count: number) => write({ pages: Array.from({ length: count }, () => ({})) })
  const withLibrary = (count: number) => async (file: string) => {
    const document = await PDFDocument.create()
    for (let page = 0; page < count; page++) document.addPage()
    writeFileSync(file, await document.save())
  }
  // One node of the tree holds two pages, the other is a page itself.
  const nested = write({
    pages: [{}, {}],
    objects: {
      10: '<< /Type /Pages /Count 3 /Kids [2 0 R 11 0 R] >>',
      11: `<< /Type /Page /Parent 10 0 R ${box('MediaBox', A4, 0)} /Resources << >> >>`,
    },
    root: 10,
  })
  return filesOf(
    'page_count_check',
    [
      good('two.pdf', pages(2)),
      good('three.pdf', withLibrary(3)),
      good('four.pdf', pages(4)),
      good('tree-of-two.pdf', nested),
      bad('one.pdf', pages(1)),
      bad('five.pdf', withLibrary(5)),
      bad('five-by-hand.pdf', pages(5)),
    ],
    { thresholds: { min_pages: 2, max_pages: 4 } },
  )
}

function pageSizes(): Labelled[] {
  const sheet = (size: readonly [number, number], entries = '') => write({ pages: [{ size, entries }] })
  const trimmed = (width: number, height: number, entries = '') => {
    const size = [width + 10, height + 10] as const
    return sheet(size, `${box('TrimBox', size, 5)} ${entries}`)
  }
  const asks = (thresholds: object) => ({ thresholds: { ...thresholds } })
  const boxes = `${box('TrimBox', A4, 5)} ${box('BleedBox', A4, 2)}`
  return filesOf(
    'page_size_check',
    [
      good('a4.pdf', sheet(A4)),
      good('trimmed.pdf', trimmed(210, 297)),
      good('within.pdf', trimmed(210.45, 296.55)),
      good('turned.pdf', trimmed(297, 210, '/Rotate 90')),
      // 1/72 inch times ten: what is larger than 5 m is written so (14.11.2 and 7.7.3.3, UserUnit).
      good('user-unit.pdf', sheet([21, 29.7], '/UserUnit 10')),
      good('boxes.pdf', sheet(A4, boxes), asks({ require_trim_box: true, require_bleed_box: true })),
      good('alike.pdf', write({ pages: [{}, {}] }), asks({ same_size: true })),
      bad('wide.pdf', trimmed(210.55, 297)),
      bad('short.pdf', sheet([210, 296.4])),
      bad('untrimmed.pdf', sheet([216, 303])),
      bad('lying.pdf', trimmed(297, 210)),
      bad('user-unit-large.pdf', sheet(A4, '/UserUnit 2')),
      bad('second.pdf', write({ pages: [{}, { size: [210, 290] }] })),
      bad('no-trim.pdf', sheet(A4, box('BleedBox', A4, 2)), asks({ require_trim_box: true })),
      bad('no-bleed.pdf', sheet(A4, box('TrimBox', A4, 5)), asks({ require_bleed_box: true })),
      bad('unlike.pdf', write({ pages: [{}, { size: [210, 290] }] }), asks({ same_size: true })),
    ],
    { thresholds: { width_mm: 210, height_mm: 297 } },
  )
}

function bleeds(): Labelled[] {
  const size = [220, 307] as const
  const withBleed = (bleed: number | null, entries = '') =>
    write({
      pages: [
        {
          size,
          entries: `${box('TrimBox', size, 5)} ${bleed === null ? '' : box('BleedBox', size, 5 - bleed)} ${entries}`,
        },
      ],
    })
  const oneSide = box('BleedBox', size, [2, 2, 2, 2.6])
  return filesOf(
    'bleed_check',
    [
      good('bleed-3.pdf', withBleed(3)),
      good('bleed-2.95.pdf', withBleed(2.95)),
      good('bleed-5.pdf', withBleed(5)),
      good('inch.pdf', withBleed(3.175), { thresholds: { min_mm: 3.175 } }),
      bad('bleed-2.8.pdf', withBleed(2.8)),
      bad('bleed-0.pdf', withBleed(0)),
      bad('no-bleed-box.pdf', withBleed(null)),
      bad('one-side.pdf', withBleed(null, oneSide)),
      // What lies outside of the sheet is not there.
      bad('beyond.pdf', withBleed(8), { thresholds: { min_mm: 6 } }),
      bad(
        'second.pdf',
        write({ pages: [{ size, entries: `${box('TrimBox', size, 5)} ${box('BleedBox', size, 2)}` }, { size }] }),
      ),
    ],
    { thresholds: { min_mm: 3 } },
  )
}

/** A licence-free font of the product's own papers. */
const fontBytes = () =>
  readFileSync(
    createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  )

const descriptor = (name: string, file = '') =>
  `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [-600 -300 1500 1100] /ItalicAngle 0 /Ascent 1069 /Descent -293 /CapHeight 714 /StemV 80 ${file} >>`
const WIDTHS = `/FirstChar 32 /LastChar 34 /Widths [260 268 408]`
const TEXT = 'BT /F1 24 Tf 60 700 Td (!) Tj ET'

function fonts(): Labelled[] {
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
  return filesOf('font_embedding_check', [
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
      text(() => ({ ...embedded(), 20: standard }), '/Font << /F1 10 0 R /F2 20 0 R >>'),
    ),
    bad(
      'drawn-refused.pdf',
      text(() => drawn),
      { thresholds: { allow_type3: false } },
    ),
  ])
}

function placedPictures(): Labelled[] {
  const placed =
    (dpi: number, vertical = dpi) =>
    async (file: string) => {
      const document = await PDFDocument.create()
      const picture = await document.embedJpg(await photoJpeg(600, 400))
      document
        .addPage([700, 500])
        .drawImage(picture, { x: 20, y: 20, width: (600 / dpi) * 72, height: (400 / vertical) * 72 })
      writeFileSync(file, await document.save())
    }
  /** Drawn by hand: `matrices` one after the other. */
  const byMatrix = (matrices: string) => async (file: string) => {
    const data = await photoJpeg(600, 400)
    writeFileSync(
      file,
      pdf({
        pages: [{ content: `q ${matrices} /Im Do Q`, resources: '/XObject << /Im 10 0 R >>' }],
        objects: {
          10: stream(
            '/Type /XObject /Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
            data,
          ),
        },
      }),
    )
  }
  // 600 pixels on 144 points are 300 dpi, on 208 points 207.7.
  return filesOf(
    'image_resolution_check',
    [
      good('dpi-310.pdf', placed(310)),
      good('dpi-225.pdf', placed(225)),
      good('turned.pdf', byMatrix('0 144 -96 0 300 300 cm')),
      good('in-steps.pdf', byMatrix('2 0 0 2 0 0 cm 72 0 0 48 20 20 cm')),
      // Four millimetres: a dot, whose resolution nobody sees.
      good('beside-a-dot.pdf', byMatrix('144 0 0 96 20 20 cm /Im Do Q q 11 0 0 11 300 300 cm'), {
        thresholds: { min_dpi: 299 },
      }),
      bad('dpi-222.pdf', placed(222)),
      bad('dpi-150.pdf', placed(150)),
      bad('stretched.pdf', placed(300, 150)),
      bad('turned-large.pdf', byMatrix('0 208 -138 0 300 300 cm')),
      bad('in-steps-large.pdf', byMatrix('4 0 0 4 0 0 cm 72 0 0 48 20 20 cm')),
      bad('form.pdf', async (file) => {
        const data = await photoJpeg(600, 400)
        const image =
          '/Type /XObject /Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode'
        const form = '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Im 10 0 R >> >>'
        writeFileSync(
          file,
          pdf({
            pages: [{ content: 'q 400 0 0 266 50 50 cm /Fm Do Q', resources: '/XObject << /Fm 11 0 R >>' }],
            objects: { 10: stream(image, data), 11: stream(form, '/Im Do') },
          }),
        )
      }),
    ],
    { thresholds: { min_dpi: 225 } },
  )
}

const RECTANGLE = '50 50 200 200 re f'

function colours(): Labelled[] {
  const icc = async (components: 3 | 4) => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    const tagged =
      components === 3 ? picture.withIccProfile('srgb') : picture.toColourspace('cmyk').withIccProfile('cmyk')
    return (await sharp(await tagged.jpeg().toBuffer()).metadata()).icc ?? Buffer.alloc(0)
  }
  const intent =
    '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA51) /Info (Coated) >>]'
  const inlineImage = (space: string, bytes: string) =>
    `q 100 0 0 100 50 50 cm BI /W 1 /H 1 /BPC 8 /CS ${space} ID ${bytes} EI Q`
  return filesOf(
    'colour_space_check',
    [
      good('cmyk.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`)),
      good('grey.pdf', onePage(`0.4 g ${RECTANGLE}`)),
      good('stated-cmyk.pdf', onePage(`/DeviceCMYK cs 0 0 1 0 sc ${RECTANGLE}`)),
      good(
        'words.pdf',
        onePage(
          `0 0 0 1 k BT /F1 12 Tf (1 0 0 rg) Tj ET ${RECTANGLE}`,
          '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
        ),
      ),
      good('icc-cmyk.pdf', async (file) => {
        const objects = { 10: stream('/N 4', await icc(4)) }
        writeFileSync(
          file,
          pdf({
            pages: [{ content: `/C cs 0 0 1 0 sc ${RECTANGLE}`, resources: '/ColorSpace << /C [/ICCBased 10 0 R] >>' }],
            objects,
          }),
        )
      }),
      good('web.pdf', onePage(`1 0 0 rg ${RECTANGLE}`), { thresholds: { allowed: ['srgb'] } }),
      good('intent.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`, '', { catalogue: intent }), {
        thresholds: { allowed: ['cmyk'], require_profile: true },
      }),
      bad('rgb.pdf', onePage(`1 0.2 0 rg ${RECTANGLE}`)),
      bad('rgb-line.pdf', onePage('0 0 1 0 k 10 10 9 9 re f 1 0 0 RG 50 50 m 200 200 l S')),
      bad('stated-rgb.pdf', onePage(`/DeviceRGB cs 1 0 0 sc ${RECTANGLE}`)),
      bad('library.pdf', async (file) => {
        const document = await PDFDocument.create()
        document.addPage().drawRectangle({ x: 20, y: 20, width: 100, height: 80, color: rgb(1, 0.4, 0) })
        writeFileSync(file, await document.save())
      }),
      bad('icc-rgb.pdf', async (file) => {
        const objects = { 10: stream('/N 3', await icc(3)) }
        writeFileSync(
          file,
          pdf({
            pages: [{ content: `/C cs 1 0 0 sc ${RECTANGLE}`, resources: '/ColorSpace << /C [/ICCBased 10 0 R] >>' }],
            objects,
          }),
        )
      }),
      bad('inline.pdf', onePage(inlineImage('/RGB', 'abc'))),
      bad(
        'form.pdf',
        write({
          pages: [{ content: '0 0 0 1 k /Fm Do', resources: '/XObject << /Fm 10 0 R >>' }],
          objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', `0 0 1 rg ${RECTANGLE}`) },
        }),
      ),
      bad('picture.pdf', async (file) => {
        const document = await PDFDocument.create()
        document.addPage().drawImage(await document.embedJpg(await photoJpeg(60, 40)))
        writeFileSync(file, await document.save())
      }),
      bad('print-for-web.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`), { thresholds: { allowed: ['srgb'] } }),
      bad('no-intent.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`), {
        thresholds: { allowed: ['cmyk'], require_profile: true },
      }),
    ],
    { thresholds: { allowed: ['cmyk', 'grey'] } },
  )
}

function transparency(): Labelled[] {
  const state = (entries: string, objects: PdfParts['objects'] = {}) =>
    onePage(`/G gs 0 0 0 1 k ${RECTANGLE}`, `/ExtGState << /G << /Type /ExtGState ${entries} >> >>`, { objects })
  const mask = stream(
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    '\x40',
  )
  return filesOf(
    'transparency_check',
    [
      good('none.pdf', onePage(`0 0 0 1 k ${RECTANGLE}`)),
      good('opaque-state.pdf', state('/ca 1 /CA 1.0 /BM /Normal /SMask /None')),
      good('compatible.pdf', state('/BM /Compatible')),
      bad('alpha.pdf', state('/ca 0.99')),
      bad('stroke-alpha.pdf', state('/CA 0.5')),
      bad('indirect-alpha.pdf', state('/ca 10 0 R', { 10: '0.5' })),
      bad('multiply.pdf', state('/BM /Multiply')),
      bad('first-of-modes.pdf', state('/BM [/Multiply /Normal]')),
      bad(
        'soft-mask.pdf',
        write({
          pages: [{ content: 'q 90 0 0 90 50 50 cm /Im Do Q', resources: '/XObject << /Im 10 0 R >>' }],
          objects: {
            10: stream(
              '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask 11 0 R',
              '\x80',
            ),
            11: mask,
          },
        }),
      ),
      bad('library.pdf', async (file) => {
        const document = await PDFDocument.create()
        document.addPage().drawRectangle({ x: 20, y: 20, width: 100, height: 80, color: rgb(1, 0.4, 0), opacity: 0.5 })
        writeFileSync(file, await document.save())
      }),
    ],
    { thresholds: { rule: 'forbidden' } },
  )
}

function versions(): Labelled[] {
  const stated = (version: string, catalogue = '') => write({ version, catalogue, pages: [{}] })
  return filesOf(
    'pdf_version_check',
    [
      good('1.4.pdf', stated('1.4')),
      good('1.6.pdf', stated('1.6')),
      good('raised.pdf', stated('1.3', '/Version /1.5')),
      // An earlier version in the catalogue does not lower that of the header (7.5.2).
      good('not-lowered.pdf', stated('1.5', '/Version /1.2')),
      bad('1.7.pdf', stated('1.7')),
      bad('2.0.pdf', stated('2.0')),
      bad('raised-too-far.pdf', stated('1.4', '/Version /1.7')),
      bad('1.3.pdf', stated('1.3')),
    ],
    { thresholds: { min_version: 1.4, max_version: 1.6 } },
  )
}

function standards(): Labelled[] {
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
  const see = '/ExtGState << /G << /Type /ExtGState /ca 0.5 >> >>'
  return filesOf(
    'pdfx_check',
    [
      good('x4.pdf', x4()),
      good('x4-see-through.pdf', x4({ pages: [{ ...page, resources: see }] })),
      good('x1a-2003.pdf', x1a(), old),
      // The edition of 2001 states PDF/X-1 and the conformance beside it (ISO 15930-1, 6.13).
      good(
        'x1a-2001.pdf',
        x1a({ information: '/GTS_PDFXVersion (PDF/X-1:2001) /GTS_PDFXConformance (PDF/X-1a:2001)' }),
        old,
      ),
      bad('plain.pdf', write({ pages: [page] })),
      bad('x3.pdf', x4({}, 'GTS_PDFX', 'PDF/X-3:2003')),
      bad('no-intent.pdf', x4({ catalogue: '/Metadata 10 0 R' })),
      // The output intent of an archive copy is none of a print job.
      bad('intent-of-pdfa.pdf', x4({}, 'GTS_PDFA1')),
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
      bad(
        'x1-without-a.pdf',
        x1a({ information: '/GTS_PDFXVersion (PDF/X-1:2001) /GTS_PDFXConformance (PDF/X-1:2001)' }),
        old,
      ),
    ],
    { thresholds: { versions: ['PDF/X-4'] } },
  )
}

function spotColours(): Labelled[] {
  const TINT = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>'
  const separation = (ink: string) => `[/Separation /${ink} /DeviceCMYK ${TINT}]`
  const deviceN = (inks: string) => `[/DeviceN [${inks}] /DeviceCMYK 19 0 R]`
  const function4 = { 19: stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]', '{0 exch 0 exch}') }
  const painted = (space: string) => onePage(`/S cs 1 scn ${RECTANGLE}`, `/ColorSpace << /S ${space} >>`)
  const painted2 = (inks: string) =>
    onePage(`/S cs 1 0.5 scn ${RECTANGLE}`, `/ColorSpace << /S ${deviceN(inks)} >>`, { objects: function4 })
  return filesOf('spot_colour_check', [
    good('process.pdf', onePage(`0 1 1 0 k ${RECTANGLE}`)),
    good('registration.pdf', painted(separation('All'))),
    good('black-plate.pdf', painted(separation('Black'))),
    good('two-process.pdf', painted2('/Cyan /Magenta')),
    good('ordered.pdf', painted(separation('PANTONE#20185#20C')), { thresholds: { allowed: ['PANTONE 185 C'] } }),
    good('one-allowed.pdf', painted(separation('Varnish')), { thresholds: { max_count: 1 } }),
    bad('spot.pdf', painted(separation('PANTONE#20185#20C'))),
    bad('other-than-ordered.pdf', painted(separation('PANTONE#20186#20C')), {
      thresholds: { allowed: ['PANTONE 185 C'] },
    }),
    bad('one-of-two.pdf', painted2('/Black /Gold')),
    bad(
      'two.pdf',
      onePage(`/S cs 1 scn ${RECTANGLE}`, `/ColorSpace << /S ${separation('Varnish')} /T ${separation('Gold')} >>`),
      {
        thresholds: { max_count: 1 },
      },
    ),
    bad(
      'by-reference.pdf',
      onePage(`/S cs 1 scn ${RECTANGLE}`, '/ColorSpace 10 0 R', {
        objects: { 10: `<< /S 11 0 R >>`, 11: separation('Gold') },
      }),
    ),
    bad(
      'indexed.pdf',
      write({
        pages: [{ content: 'q 90 0 0 90 50 50 cm /Im Do Q', resources: '/XObject << /Im 10 0 R >>' }],
        objects: {
          10: stream(
            `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace [/Indexed 11 0 R 1 <00ff>]`,
            '\x01',
          ),
          11: separation('Gold'),
        },
      }),
    ),
  ])
}

function scripts(): Labelled[] {
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
  return filesOf('javascript_check', [
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
      page.node.set(
        PDFName.of('Annots'),
        document.context.obj([document.context.register(document.context.obj(script))]),
      )
      writeFileSync(file, await document.save({ useObjectStreams: true }))
    }),
  ])
}

function pictures(): Labelled[] {
  const withPicture = (make: () => Promise<Buffer>) => async (file: string) => {
    const document = await PDFDocument.create()
    const picture = await document.embedPng(await make())
    document.addPage([420, 595]).drawImage(picture, { x: 60, y: 200, width: 300, height: 300 })
    writeFileSync(file, await document.save())
  }
  const code = (text: string) => withPicture(() => sharp(codeDrawing(text, 600)).png().toBuffer())
  return filesOf('qr_code_check', [
    good('code-https.pdf', code('https://example.com/print')),
    bad('code-http.pdf', code('http://example.com/print')),
  ])
}

export const DOCUMENTS: Labelled[] = [
  ...colours(),
  ...transparency(),
  ...pictures(),
  ...pageCounts(),
  ...pageSizes(),
  ...bleeds(),
  ...fonts(),
  ...placedPictures(),
  ...standards(),
  ...versions(),
  ...spotColours(),
  ...scripts(),
]
