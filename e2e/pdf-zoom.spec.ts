import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { box, pdf, stream } from '@/fixtures/pdf'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { batchWithPdf } from './support/workspace'

/** PDFs are drawn by the browser at any zoom in the review room, with the layers that are wanted. */

/** Names that would harm a page which takes them for more than words. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202etxt'
const utf16 = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/** What no page refers to, so that the whole file is much more than what a page needs. */
const PADDING_BYTES = 6_000_000

const BLACK = [0, 0, 0] as const
const RED = [255, 0, 0] as const
const BLUE = [0, 0, 255] as const
const GREEN = [0, 255, 0] as const

/**
 * Page 1 has a letter in its middle, in a typeface that is not in the file, a red layer to its right,
 * and two layers of which one is shown. Page 2 is turned, cropped off its corner and in units of two points.
 */
const layered = () =>
  pdf({
    catalogue: `/OCProperties << /OCGs [10 0 R 11 0 R 12 0 R 13 0 R 14 0 R] /D << /Name (${Date.now()}) /OFF [13 0 R] /RBGroups [[12 0 R 13 0 R]] /Order [10 0 R (Languages) [(Words) 12 0 R 13 0 R] [(Notes) 11 0 R] 14 0 R] >> >>`,
    pages: [
      {
        resources:
          '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >> /Properties << /A 10 0 R /E 12 0 R /F 13 0 R >>',
        content: `BT /F 72 Tf 287.6 395 Td (I) Tj ET
/OC /A BDC 1 0 0 rg 306 380 40 80 re f EMC
/OC /E BDC 0 0 1 rg 200 600 40 40 re f EMC
/OC /F BDC 0 1 0 rg 300 600 40 40 re f EMC`,
      },
      {
        entries: `/Rotate 90 /UserUnit 2 ${box('MediaBox', [210, 297], 0)} /CropBox [100 150 400 700]`,
        resources: '/Properties << /A 10 0 R >>',
        content: `1 0 0 rg 100 150 60 20 re f
0 0 1 rg 340 650 60 50 re f
/OC /A BDC 0 1 0 rg 200 300 90 30 re f EMC`,
      },
    ],
    objects: {
      10: '<< /Type /OCG /Name (Red) >>',
      11: `<< /Type /OCG /Name ${utf16(HOSTILE)} >>`,
      12: '<< /Type /OCG /Name (English) >>',
      13: '<< /Type /OCG /Name (French) >>',
      14: '<< /Type /OCG /Name (Varnish) /Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >> >>',
      50: stream('', randomBytes(PADDING_BYTES)),
    },
  })

type Picture = { data: Buffer; width: number; height: number }

async function pictureOf(element: Locator): Promise<Picture> {
  const { data, info } = await sharp(await element.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Pixels between paper and red in the row in the middle: those so near before the first red one that are not paper. */
function edgeOf({ data, width, height }: Picture, near: number) {
  const start = Math.floor(height / 2) * width
  const row = Array.from({ length: width }, (_, x) => data.subarray((start + x) * 3, (start + x) * 3 + 3))
  const first = row.findIndex(([red = 0, green = 0, blue = 0]) => red > 225 && green < 30 && blue < 30)
  expect(first).toBeGreaterThan(near)
  return row.slice(first - near, first).filter((pixel) => Math.min(...pixel) < 225).length
}

/** How many pixels have a colour, and the smallest rectangle around them. */
function areaOf({ data, width }: Picture, [red, green, blue]: readonly [number, number, number]) {
  let pixels = 0
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1]
  for (let at = 0; at < data.length; at += 3) {
    const off = Math.max(
      Math.abs((data[at] ?? 0) - red),
      Math.abs((data[at + 1] ?? 0) - green),
      Math.abs((data[at + 2] ?? 0) - blue),
    )
    if (off > 40) continue
    pixels += 1
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { pixels, left, top, right, bottom }
}

const drawing = (page: Page) => page.locator('canvas[data-image-of]')
const layer = (page: Page, name: string) => page.getByRole('dialog', { name: 'Layers' }).getByRole('checkbox', { name })

/** The drawing that is whole, as a picture of the box that it stands in. */
async function drawn(page: Page): Promise<Picture> {
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  return pictureOf(drawing(page))
}

test('a page is drawn sharp at any zoom, of the bytes it needs', async ({ page, complaints }) => {
  const { at, id } = await batchWithPdf(page, layered())
  const parts: string[] = []
  let bytes = 0
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/pdfjs/')) parts.push(pathname)
    if (response.status() === 206) bytes += Number(response.headers()['content-length'])
  })
  // A file that cannot be drawn says so, and the preview stays
  await page.route(/\/download$/, (route) => route.fulfill({ body: 'no PDF', contentType: 'application/pdf' }))
  await page.goto(`${at}/review`)
  await expect(page.getByRole('img', { name: 'Page 1 of page.pdf' })).toBeVisible()
  expect(parts).toEqual([])
  const zoom = page.getByRole('group', { name: 'Zoom' })
  await page.getByRole('button', { name: '1:1' }).click()
  for (let press = 0; press < 10; press++) await zoom.getByRole('button', { name: /^Zoom in/ }).click()
  await expect(zoom.getByText('931 %')).toBeVisible()
  const note = page.getByRole('alert').filter({ hasText: 'Not every pixel can be shown' })
  await expect(note).toContainText('this is the preview. The file is damaged.')
  await expect(drawing(page)).toBeHidden()
  await expectAccessible(page)
  const frame = page.locator('[class*="container-type:size"]').first()

  // Read again, an edge is one pixel
  await page.unroute(/\/download$/)
  await note.getByRole('button', { name: 'Try again' }).click()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true', { timeout: 60_000 })
  await expect(note).toBeHidden()
  const seen = await pictureOf(frame)
  expect(edgeOf(seen, 25)).toBeLessThanOrEqual(1)
  expect(areaOf(seen, BLACK).pixels).toBeGreaterThan(1000)
  // In the preview it is a pixel wide, too: 13.8 of the screen at this zoom
  const preview = await page.request.get(`/api${at}/files/${id}/preview`)
  const decoded = await sharp(await preview.body())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = decoded.info
  expect(edgeOf({ data: decoded.data, width, height }, 3) * ((1680 * 9.31) / width)).toBeGreaterThan(10)

  // Its typeface is ours, and most of the file stayed where it is
  expect(parts.filter((path) => path.includes('/fonts/'))).toHaveLength(1)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(PADDING_BYTES / 3)

  // Moved, it is drawn anew; whole, the preview is enough
  await frame.hover()
  await page.mouse.down()
  await page.mouse.move(300, 300, { steps: 3 })
  await page.mouse.up()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  await page.keyboard.press('0')
  await expect(drawing(page)).toBeHidden()
  expectRefusals(complaints)
})

test('layers are switched, and the page is drawn where its preview stands', async ({ page }) => {
  const { at, id } = await batchWithPdf(page, layered())
  // Until its image is made, the room draws the second page itself.
  const imageOfSecond = () => page.request.get(`/api${at}/files/${id}/preview?page=2`)
  await expect.poll(async () => (await imageOfSecond()).status(), { timeout: 60_000 }).toBe(200)
  await page.goto(`${at}/review`)
  const preview = page.getByRole('img', { name: 'Page 1 of page.pdf', exact: true })
  await expect(preview).toBeVisible()
  const before = await pictureOf(preview)
  expect(areaOf(before, GREEN).pixels).toBe(0)

  await page.getByRole('button', { name: 'Layers' }).click()
  const list = page.getByRole('dialog', { name: 'Layers' })
  await expect(layer(page, 'Red')).toBeChecked({ timeout: 60_000 })
  await expect(list.getByText(HOSTILE)).toBeVisible()
  await expect(list.getByText('Words')).toBeVisible()
  await expect(layer(page, 'English')).toBeChecked()
  await expect(layer(page, 'French')).not.toBeChecked()
  await expect(layer(page, 'Varnish')).not.toBeChecked()
  await expect(list.getByText('Printed, not viewed')).toBeVisible()
  await expectAccessible(page)

  // One of two is shown
  await layer(page, 'French').click()
  await expect(layer(page, 'English')).not.toBeChecked()
  const french = await drawn(page)
  expect(areaOf(french, BLUE).pixels).toBe(0)
  expect(areaOf(french, GREEN).pixels).toBeGreaterThan(100)
  expect(areaOf(french, RED).pixels).toBeGreaterThan(100)

  // A colour goes with its layer, and comes back
  await layer(page, 'Red').click()
  await expect(layer(page, 'Red')).not.toBeChecked()
  expect(areaOf(await drawn(page), RED).pixels).toBe(0)
  await expect(page.getByRole('button', { name: 'Loupe and colour' })).toBeDisabled()
  await layer(page, 'Red').click()
  expect(areaOf(await drawn(page), RED)).toEqual(areaOf(french, RED))
  await list.getByRole('button', { name: 'As in the file' }).click()
  await expect(layer(page, 'English')).toBeChecked()
  await expect(drawing(page)).toBeHidden()

  // Turned, cropped and in units of its own, a page is drawn where its preview stands
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Next page' }).click()
  const second = page.getByRole('img', { name: 'Page 2 of page.pdf', exact: true })
  // Its name changes before its pixels do: the image that is loaded by a script comes last, and only this page has green.
  await expect(second).toHaveAttribute('src', /^blob:/)
  await expect.poll(async () => areaOf(await pictureOf(second), GREEN).pixels).toBeGreaterThan(100)
  const shown = await pictureOf(second)
  await page.getByRole('button', { name: 'Layers' }).click()
  await layer(page, 'French').click()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  const same = await pictureOf(second)
  for (const colour of [RED, BLUE, GREEN]) {
    const [a, b] = [areaOf(shown, colour), areaOf(same, colour)]
    expect(a.pixels).toBeGreaterThan(100)
    for (const side of ['left', 'top', 'right', 'bottom'] as const) expect(Math.abs(a[side] - b[side])).toBeLessThan(3)
  }

  // In the drawer, too
  await page.goto(`${at}#file=${id}`)
  await expect(preview).toBeVisible()
  await page.getByRole('button', { name: 'Layers' }).click()
  await layer(page, 'Red').click()
  await expect(layer(page, 'Red')).not.toBeChecked()
  expect(areaOf(await drawn(page), RED).pixels).toBe(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' })

  test('layers are switched with a finger', async ({ page }) => {
    const { at } = await batchWithPdf(page, layered())
    await page.goto(`${at}/review`)
    await expect(page.getByRole('img', { name: 'Page 1 of page.pdf' })).toBeVisible()
    await page.getByRole('button', { name: 'Layers' }).tap()
    await layer(page, 'Red').tap()
    await expect(layer(page, 'Red')).not.toBeChecked()
    expect(areaOf(await drawn(page), RED).pixels).toBe(0)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1:1' }).tap()
    await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  })
})

test('any page of a long document is entered by its number, its image made or not', async ({ page, complaints }) => {
  // A page says which it is: a red bar beside a blue one of 400 points, of four points for each page up to it.
  const pages = Array.from({ length: 130 }, (_, index) => ({
    content: `0 0 1 rg 20 300 400 60 re f 1 0 0 rg 20 400 ${4 * (index + 1)} 60 re f`,
  }))
  const { at } = await batchWithPdf(page, pdf({ pages }))
  await page.goto(`${at}/review`)
  const field = page.getByRole('textbox', { name: 'Page, 1 to 130' })
  await expect(field).toHaveValue('1')

  const enter = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
  }
  /** The number that the page says itself which is seen. */
  const read = async (number: number) => {
    const picture = await pictureOf(page.getByRole('img', { name: `Page ${number} of page.pdf` }).last())
    const [red, blue] = [areaOf(picture, RED), areaOf(picture, BLUE)]
    return Math.round(((red.right - red.left + 1) / (blue.right - blue.left + 1)) * 100)
  }

  // The network is gone: the page says so, and comes when it is back.
  await page.route('**/files/*/download', (route) => route.abort())
  await enter('129')
  await expect(page.getByRole('alert').filter({ hasText: 'Page 129 cannot be shown.' })).toBeVisible()
  await page.unroute('**/files/*/download')
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('net::ERR_')))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  await expect.poll(() => read(129)).toBe(129)

  // Beyond the last is the last; what is no number is left.
  await enter('9999')
  await expect(field).toHaveValue('130')
  await expect.poll(() => read(130)).toBe(130)
  await enter('two')
  await expect(field).toHaveValue('130')
  await field.fill('12')
  await field.press('Escape')
  await expect(field).toHaveValue('130')
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('status')).toHaveText('Page 130 of 130')
  await expectAccessible(page)

  // A comment on a page without an image leads back to it.
  await page.getByRole('button', { name: 'Comment on this page' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('The last page is upside down.')
  await page.keyboard.press('Control+Enter')
  const comment = page.getByRole('listitem').filter({ hasText: 'The last page is upside down.' })
  await expect(comment).toBeVisible()
  await enter('2')
  await expect.poll(() => read(2)).toBe(2)
  await comment.getByRole('button', { name: /Page 130/ }).click()
  await expect(field).toHaveValue('130')
  await expect.poll(() => read(130)).toBe(130)
})
