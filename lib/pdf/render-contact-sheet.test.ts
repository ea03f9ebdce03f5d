import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { renderContactSheet } from './render-contact-sheet'
import { readPdf } from './testing'

/** The files of a batch on paper, read back with pdf.js. */

const AT = '2026-11-20T09:30:00.000Z'
const idOf = (index: number) => `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`

const fileOf = (index: number, more: Partial<ContactSheet['listed'][number]> = {}): ContactSheet['listed'][number] => ({
  id: idOf(index),
  name: `MOKI_Ride_300x250_v${index}.png`,
  version: 2,
  size: 48_200,
  mediaType: 'image/png',
  decision: 'pending',
  width: 300,
  height: 250,
  durationSeconds: null,
  pages: null,
  hasImage: true,
  result: { status: 'completed', summary: 'pass' },
  ...more,
})

const sheetOf = (listed: ContactSheet['listed'], more: Partial<ContactSheet> = {}): ContactSheet => ({
  generatedAt: AT,
  project: 'Luma Skin, spring',
  agency: 'Halden & Söhne',
  batch: {
    name: 'Banners 横幅',
    status: 'in_review',
    round: 2,
    media_category: { id: idOf(0), name: 'Banners' },
    counts: { files: listed.length, total_size: 1, approved: 1, rejected: 2, pending: 3 },
  } as ContactSheet['batch'],
  files: listed.length,
  part: 1,
  parts: 1,
  listed,
  ...more,
})

const thumbnail = async (width: number, height: number) =>
  (
    await sharp({ create: { width, height, channels: 3, background: '#3a7' } })
      .webp()
      .toBuffer()
  ).toString('base64')

describe('a contact sheet', () => {
  test('shows each file with its image, name, version, size, verdict and decision', async () => {
    const listed = [
      fileOf(1),
      fileOf(2, { decision: 'approved', result: { status: 'completed', summary: 'warning' } }),
      fileOf(3, { decision: 'rejected', result: { status: 'failed', summary: null }, durationSeconds: 15 }),
      fileOf(4, { hasImage: false, result: null, width: null, height: null, pages: 3, name: '海报 плакат.pdf' }),
      fileOf(5, { name: `${'very-long-name-'.repeat(12)}.png` }),
    ]
    const images = {
      [idOf(1)]: await thumbnail(320, 160),
      [idOf(2)]: await thumbnail(100, 320),
      [idOf(3)]: Buffer.from('not an image').toString('base64'),
    }
    const { pages, outline, info } = await readPdf(await renderContactSheet(sheetOf(listed), images))
    expect(pages).toHaveLength(1)
    const [page] = pages
    expect(page?.images).toHaveLength(2)
    for (const image of page?.images ?? []) {
      expect(image.width).toBeLessThanOrEqual(112.5)
      expect(image.height).toBeLessThanOrEqual(78.5)
    }
    // Each image keeps its shape.
    expect((page?.images[0]?.width ?? 0) / (page?.images[0]?.height ?? 1)).toBeCloseTo(2, 1)
    const text = page?.text ?? ''
    for (const said of [
      'Contact sheet',
      'Banners 横幅',
      'MOKI_Ride_300x250_v1.png',
      'v2 · 300 × 250 · 48',
      'Checks: pass',
      'Checks: warning',
      'Checks: could not run',
      'Checks: not run',
      'Approved',
      'Rejected',
      'To decide',
      '海报',
      '3 pages',
    ])
      expect(text).toContain(said)
    expect(page?.artifacts.join(' ')).toContain('No image')
    expect(outline).toEqual(['Contact sheet'])
    expect(info.Title).toBe('Banners 横幅: contact sheet')
  })

  test('says in its structure what is an image of which file', async () => {
    const { pages } = await readPdf(
      await renderContactSheet(sheetOf([fileOf(1)]), { [idOf(1)]: await thumbnail(320, 160) }),
    )
    const tags = pages[0]?.tags.flatMap(({ kids }) => kids) ?? []
    expect(tags.find(({ role }) => role === 'Figure')?.alt).toBe('Image of MOKI_Ride_300x250_v1.png')
    expect(tags.filter(({ role }) => role === 'H2')).toHaveLength(1)
  })

  test('of 500 files has 26 pages at most, the same bytes each time, and says which part it is', async () => {
    const image = await thumbnail(320, 213)
    const listed = Array.from({ length: 500 }, (_, index) => fileOf(index + 1))
    const images = Object.fromEntries(listed.map(({ id }) => [id, image]))
    const sheet = sheetOf(listed, { files: 1204, part: 2, parts: 3 })
    const pdf = await renderContactSheet(sheet, images)
    expect((await renderContactSheet(sheet, images)).equals(pdf)).toBe(true)
    const { pages } = await readPdf(pdf)
    expect(pages.length).toBeLessThanOrEqual(26)
    expect(pages.reduce((sum, page) => sum + page.images.length, 0)).toBe(500)
    expect(pages[0]?.text).toContain('part 2 of 3')
    expect(pages[0]?.text).toContain('500 of 1,204 files on this part')
  })
})
