import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { pdf, stream } from '@/fixtures/pdf'
import { drawPage } from '../decode/pdf-page'
import { separatePage } from './separate-page'

const folder = mkdtempSync(path.join(tmpdir(), 'separations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SPOT = '[/Separation /Varnish /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.5 1 0] /N 1 >>]'
const DUO = `[/DeviceN [/Cyan /Gold] /DeviceCMYK 11 0 R]`
const TO_CMYK = stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]', '{ dup 0.5 mul exch 0 }')
const ALL = '[/Separation /All /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [1 1 1 1] /N 1 >>]'

type Parts = { content: string; resources?: string; objects?: Record<number, string | Buffer>; entries?: string }

/** A page of 100 by 100 points. */
async function separated({ content, resources = '', objects = {}, entries = '' }: Parts) {
  const file = path.join(folder, `${Math.random()}.pdf`)
  const all = { 11: TO_CMYK, ...objects }
  const page = { content, resources, entries: `/MediaBox [0 0 100 100] ${entries}` }
  writeFileSync(file, pdf({ pages: [page], objects: all }))
  const into = `${file}.plate`
  const listed = await separatePage({ path: file, page: 1, plate: null, into })
  if (!('plates' in listed)) throw new Error(JSON.stringify(listed))
  const names = listed.plates.map(({ kind, name }) => (kind === 'unconverted' ? kind : name))
  return {
    names,
    notes: listed.notes,
    /** Grey, 0..255, of a plate at points of the page. */
    async greys(name: string, ...points: (readonly [number, number])[]): Promise<number[]> {
      expect(names).toContain(name)
      const result = await separatePage({ path: file, page: 1, plate: names.indexOf(name), into })
      expect(result).toMatchObject({ plates: listed.plates })
      const { data, width, height } = await drawPage(into)
      return points.map(([x, y]) => {
        const at = (Math.floor((1 - y / 100) * height) * width + Math.floor((x / 100) * width)) * 3
        expect(data[at + 1]).toBe(data[at])
        return data[at] ?? -1
      })
    },
  }
}

const grey = (share: number) => Math.round(255 * (1 - share))

function expectNear(greys: readonly number[], shares: readonly number[]) {
  expect(greys).toHaveLength(shares.length)
  for (const [at, each] of greys.entries())
    expect(Math.abs(each - grey(shares[at] ?? -9)), `${greys} of ${shares.map(grey)}`).toBeLessThanOrEqual(1)
}

describe('a plate has its share of each colour', () => {
  const A = [25, 25] as const
  const B = [75, 25] as const

  it('of CMYK, grey, spot colours and several inks', async () => {
    const page = await separated({
      resources: `/ColorSpace << /S ${SPOT} /D ${DUO} /A ${ALL} >>`,
      content: `0.2 0.4 0.6 0.8 k 0 0 50 50 re f
/S cs 0.3 scn 50 0 50 50 re f
/D cs 0.7 0.1 scn 0 50 50 50 re f
/A cs 0.9 scn 50 50 25 50 re f
0.25 g 75 50 25 50 re f`,
    })
    expect(page.names).toEqual(['Cyan', 'Magenta', 'Yellow', 'Black', 'Varnish', 'Gold'])
    const points = [A, B, [25, 75], [60, 75], [90, 75]] as const
    expectNear(await page.greys('Cyan', ...points), [0.2, 0, 0.7, 0.9, 0])
    expectNear(await page.greys('Magenta', ...points), [0.4, 0, 0, 0.9, 0])
    expectNear(await page.greys('Black', ...points), [0.8, 0, 0, 0.9, 0.75])
    expectNear(await page.greys('Varnish', ...points), [0, 0.3, 0, 0.9, 0])
    expectNear(await page.greys('Gold', ...points), [0, 0, 0.1, 0.9, 0])
  })

  it('of images: CMYK, JPEG, by number, within the content', async () => {
    const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#3060a0' } })
      .toColourspace('cmyk')
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    // Samples of an Adobe JPEG stand turned over (8.9.5.2, note): Decode turns them back.
    const raw = await sharp(jpeg).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer()
    const image = (space: string, more = '', size = 1) =>
      `/Type /XObject /Subtype /Image /Width ${size} /Height ${size} /BitsPerComponent 8 /ColorSpace ${space} ${more}`
    const page = await separated({
      resources: '/XObject << /I 12 0 R /J 13 0 R /N 14 0 R >>',
      content: `q 50 0 0 50 0 0 cm /I Do Q q 50 0 0 50 50 0 cm /J Do Q q 50 0 0 50 0 50 cm /N Do Q
q 50 0 0 50 50 50 cm BI /W 1 /H 1 /BPC 8 /CS /CMYK ID ${String.fromCharCode(51, 102, 77, 90)} EI Q`,
      objects: {
        12: stream(image('/DeviceCMYK'), Buffer.from([51, 102, 153, 204])),
        13: stream(image('/DeviceCMYK', '/Filter /DCTDecode /Decode [1 0 1 0 1 0 1 0]', 16), jpeg),
        14: stream(image('[/Indexed /DeviceCMYK 1 <00000000 1A334D66>]'), Buffer.from([1])),
      },
    })
    const points = [A, B, [25, 75], [75, 75]] as const
    for (const [at, name] of ['Cyan', 'Magenta', 'Yellow', 'Black'].entries()) {
      const inks = [[51, 102, 153, 204], [...raw.subarray(0, 4)], [26, 51, 77, 102], [51, 102, 77, 90]]
      const shares = inks.map((each) => (each[at] ?? 0) / 255)
      expectNear(await page.greys(name, ...points), shares)
    }
  })

  it('of shadings, patterns, forms and groups', async () => {
    const shading =
      '<< /ShadingType 2 /ColorSpace /DeviceCMYK /Coords [0 0 50 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [0 1 0 0] /C1 [1 0 0 0] /N 1 >> >>'
    const page = await separated({
      resources: `/Shading << /H ${shading} >> /Pattern << /T 12 0 R >> /XObject << /F 13 0 R /G 14 0 R >> /ExtGState << /M << /BM /Multiply >> >>`,
      content: `q 0 0 50 50 re W n /H sh Q
/Pattern cs /T scn 50 0 50 50 re f
0 0 0 0.5 k 0 50 50 50 re f /M gs /G Do
q 0.3 0 0 0 k /F Do Q`,
      objects: {
        12: stream(
          '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
          '0 0.6 0 0 k 0 0 10 10 re f',
        ),
        // Drawn in the colour that was set before it.
        13: stream('/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << >>', '60 60 30 30 re f'),
        14: stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Group << /S /Transparency /CS /DeviceCMYK /I true >> /Resources << >>',
          '0 0 0 0.4 k 0 50 50 50 re f',
        ),
      },
    })
    const points = [A, B, [25, 75], [75, 75]] as const
    expectNear(await page.greys('Magenta', ...points), [0.5, 0.6, 0, 0])
    expectNear(await page.greys('Cyan', ...points), [0.5, 0, 0, 0.3])
    expectNear(await page.greys('Black', ...points), [0, 0, 1 - 0.5 * 0.6, 0])
  })
})

describe('overprint', () => {
  const states = '/ExtGState << /O << /OP true /op true /OPM 1 >> /P << /OP true /op true /OPM 0 >> >>'
  const resources = `${states} /ColorSpace << /S ${SPOT} >>`
  const ground = '0.5 0.5 0.5 0 k 0 0 100 100 re f'
  const middle = [45, 50] as const

  it.each([
    ['none: all is replaced', `${ground} 0 0 0 1 k 0 0 100 100 re f`, [0, 0, 0, 1]],
    ['mode 1: zeros leave what is there', `${ground} /O gs 0 0.2 0 1 k 0 0 100 100 re f`, [0.5, 0.2, 0.5, 1]],
    ['mode 0: zeros replace', `${ground} /P gs 0 0.2 0 1 k 0 0 100 100 re f`, [0, 0.2, 0, 1]],
    ['grey replaces in mode 1, too', `${ground} /O gs 0 g 0 0 100 100 re f`, [0, 0, 0, 1]],
    ['a spot colour leaves CMYK', `${ground} /P gs /S cs 1 scn 0 0 100 100 re f`, [0.5, 0.5, 0.5, 0]],
    ['a spot colour without overprint', `${ground} /S cs 1 scn 0 0 100 100 re f`, [0, 0, 0, 0]],
    ['fill and stroke apart', `${ground} 40 w /O gs 1 0 0 0 K 0 0 0 1 k 50 -50 200 200 re B`, [1, 0.5, 0.5, 0]],
  ])('%s', async (_name, content, [cyan = 0, magenta = 0, yellow = 0, black = 0]) => {
    const page = await separated({ resources, content })
    expectNear(await page.greys('Cyan', middle), [cyan])
    expectNear(await page.greys('Magenta', middle), [magenta])
    expectNear(await page.greys('Yellow', middle), [yellow])
    expectNear(await page.greys('Black', middle), [black])
  })
})

describe('black', () => {
  it('is what is painted before a colour is set', async () => {
    const page = await separated({ content: '0 0 50 100 re f 1 0 0 0 k 50 0 50 100 re f' })
    expectNear(await page.greys('Black', [25, 50], [75, 50]), [1, 0])
    expectNear(await page.greys('Cyan', [25, 50], [75, 50]), [0, 1])
    expect((await separated({ content: '0 0 50 100 re f' })).names).toEqual(['Black'])
  })
})

describe('what has no plates', () => {
  it('is said and shown where it stands', async () => {
    const page = await separated({ content: '1 0 0 rg 0 0 50 100 re f' })
    expect(page.names).toEqual(['unconverted'])
    expect(page.notes).toEqual(['unconverted'])
    expectNear(await page.greys('unconverted', [25, 50], [75, 50]), [1, 0])
  })

  it('is an empty page', async () => {
    expect((await separated({ content: '' })).names).toEqual([])
  })

  it('is a page whose content is none, which is said', async () => {
    await expect(separated({ content: '0 0 0 1 k ) f' })).rejects.toThrow('cannot be read')
  })

  it('is an encrypted file, or a page that is not there', async () => {
    const file = path.join(folder, 'locked.pdf')
    const plain = pdf({ pages: [{ content: '0 0 0 1 k' }] })
    writeFileSync(file, plain)
    const ask = (page: number, plate: number | null) => separatePage({ path: file, page, plate, into: `${file}.x` })
    expect(await ask(2, null)).toEqual({ missing: 'page' })
    expect(await ask(1, 9)).toEqual({ missing: 'plate' })
    writeFileSync(
      file,
      plain.toString('latin1').replace('trailer\n<<', 'trailer\n<< /Encrypt << /Filter /Standard >>'),
      'latin1',
    )
    expect(await ask(1, null)).toEqual({ refused: 'It is encrypted.' })
  })
})
