import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { psd } from '@/fixtures/psd'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, demoOperator, sendFile, signIn } from './support/workspace'

/** Large images are zoomed to their pixels in the review room, by tiles. */

type Named = { id: string; name: string }

const WIDTH = 6000
const HEIGHT = 4000

/** An image each pixel of which says where it is. */
function places(channels: 3 | 4) {
  const data = Buffer.alloc(WIDTH * HEIGHT * channels)
  for (let at = 0, y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      data[at++] = x & 255
      data[at++] = y & 255
      data[at++] = ((x >> 8) << 4) | (y >> 8)
      if (channels === 4) data[at++] = 255
    }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } })
}

/** Another content each time, and the same pixels. */
const stamp = () => ({ IFD0: { ImageDescription: `Story ${Date.now()}-${Math.random()}` } })

async function delivered(page: Page, name: string, mimeType: string, buffer: Buffer) {
  await signIn(page, 'admin')
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: (Named & { naming_template: string | null })[] }>(
    page,
    '/api/media-categories',
  )
  const project = await ask<Named>(page, '/api/projects', {
    name: `Posters ${Date.now()}`,
    agency_id: agencies[0]?.id,
  })
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Large images',
    media_category_id: media_categories.find((each) => each.naming_template === null)?.id,
    operator_id: await demoOperator(page),
  })
  const at = `/projects/${project.id}/batches/${batch.id}`
  await sendFile<Named>(page, `/api${at}/files`, { name, mimeType, buffer })
  return at
}

/** Which pixels of the image a row in the middle of the canvas shows, and a column. */
const shownBy = (canvas: Locator) =>
  canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const pen = (element as HTMLCanvasElement).getContext('2d')
    const read = (x: number, y: number, w: number, h: number) => {
      const data = [...(pen?.getImageData(x, y, w, h).data ?? [])]
      return Array.from({ length: w * h }, (_, at) => {
        const [red = 0, green = 0, blue = 0] = data.slice(at * 4)
        return { x: red + 256 * (blue >> 4), y: green + 256 * (blue & 15) }
      })
    }
    return {
      across: read(0, Math.floor(height / 2), width, 1),
      down: read(Math.floor(width / 2), 0, 1, height),
    }
  })

test('a TIFF of 24 megapixels is shown pixel for pixel, by the tiles in sight', async ({ page }) => {
  const tiff = await places(3).withExif(stamp()).tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer()
  const at = await delivered(page, 'poster.tif', 'image/tiff', tiff)
  const tiles = new Set<string>()
  page.on('request', (request) => {
    const [place] = /\/tiles\/\d+\/\d+\/\d+$/.exec(new URL(request.url()).pathname) ?? []
    if (place) tiles.add(place)
  })
  await page.goto(`${at}/review`)
  await page.getByRole('button', { name: '1:1' }).click()
  const canvas = page.getByRole('img', { name: 'poster.tif' }).and(page.locator('canvas'))
  await expect(canvas).toHaveAttribute('data-complete', 'true', { timeout: 90_000 })
  const zoom = page.getByRole('group', { name: 'Zoom' })
  await expect(zoom.getByText('100 %')).toBeVisible()
  await expectAccessible(page)

  // One pixel of the image is one of the screen
  const { across, down } = await shownBy(canvas)
  expect(across.length).toBeGreaterThan(300)
  for (const [i, { x, y }] of across.entries())
    expect({ x, y }).toEqual({ x: (across[0]?.x ?? 0) + i, y: across[0]?.y })
  for (const [i, { x, y }] of down.entries()) expect({ x, y }).toEqual({ x: down[0]?.x, y: (down[0]?.y ?? 0) + i })
  // Only what is in sight came
  const most = (Math.ceil(across.length / 512) + 1) * (Math.ceil(down.length / 512) + 1)
  expect(tiles.size).toBeGreaterThan(0)
  expect(tiles.size).toBeLessThanOrEqual(most)

  // Beyond 200 % pixels are squares, without mixed colours between them
  for (let press = 0; press < 4; press++) await zoom.getByRole('button', { name: /^Zoom in/ }).click()
  await expect(zoom.getByText('244 %')).toBeVisible()
  await expect(canvas).toHaveAttribute('data-complete', 'true')
  const large = (await shownBy(canvas)).across
  for (const [i, { x, y }] of large.entries()) {
    expect(y).toBe(large[0]?.y)
    if (i > 0) expect([0, 1]).toContain(x - (large[i - 1]?.x ?? 0))
  }
  expect((large.at(-1)?.x ?? 0) - (large[0]?.x ?? 0)).toBeCloseTo(large.length / 1.25 ** 4, -1)

  // One channel is shown as grey
  await page.getByRole('button', { name: 'All channels' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Alpha' })).toHaveCount(0)
  await page.getByRole('menuitemradio', { name: 'Red' }).click()
  await expect(page.getByRole('button', { name: 'Red' })).toBeVisible()
  await expect(page.getByRole('menu')).toBeHidden()
  const { data, info } = await sharp(await canvas.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3
  const [red, green, blue] = data.subarray(middle, middle + 3)
  expect([green, blue]).toEqual([red, red])
  await expectAccessible(page)

  // The whole image again is its preview
  await page.keyboard.press('0')
  await expect(canvas).toHaveCount(0)
})

test('a PSD with layers is shown pixel for pixel, as all of them together', async ({ page }) => {
  const size = { width: 1600, height: 1200 }
  const rgb = await places(3)
    .extract({ left: 1000, top: 700, ...size })
    .raw()
    .toBuffer()
  const layers = ['Logo', `Price ${Date.now()}`].map((name) => {
    return { name, left: 200, top: 200, width: 300, height: 100, colour: [200, 30, 30] }
  })
  const at = await delivered(page, 'layout.psd', 'image/vnd.adobe.photoshop', psd(rgb, size, layers))
  await page.goto(`${at}/review`)
  await page.getByRole('button', { name: '1:1' }).click()
  const canvas = page.getByRole('img', { name: 'layout.psd' }).and(page.locator('canvas'))
  await expect(canvas).toHaveAttribute('data-complete', 'true', { timeout: 90_000 })
  const { across, down } = await shownBy(canvas)
  expect(across.length).toBeGreaterThan(300)
  expect(across[0]?.x).toBeGreaterThanOrEqual(1000)
  for (const [i, { x, y }] of across.entries())
    expect({ x, y }).toEqual({ x: (across[0]?.x ?? 0) + i, y: across[0]?.y })
  for (const [i, { x, y }] of down.entries()) expect({ x, y }).toEqual({ x: down[0]?.x, y: (down[0]?.y ?? 0) + i })
  await expectAccessible(page)
})

test('a large PNG shows its alpha, and one without tiles says why', async ({ page, complaints }) => {
  const png = await places(4).withExif(stamp()).png({ compressionLevel: 1 }).toBuffer()
  const at = await delivered(page, 'poster.png', 'image/png', png)
  await page.goto(`${at}/review`)
  await page.getByRole('button', { name: '1:1' }).click()
  const canvas = page.locator('canvas[data-image-of]')
  await expect(canvas).toHaveAttribute('data-complete', 'true', { timeout: 90_000 })
  const { across } = await shownBy(canvas)
  for (const [i, { x }] of across.entries()) expect(x).toBe((across[0]?.x ?? 0) + i)
  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitemradio', { name: 'Alpha' }).click()
  await expect(page.getByRole('menu')).toBeHidden()
  const { data } = await sharp(await canvas.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])

  // What cannot be cut says so
  const failed = { is_needed: true, status: 'failed', failure: 'It is too large for the memory.', tiles: null }
  await page.route(/\/tiles$/, (route) => route.fulfill({ json: failed }))
  await page.reload()
  await page.route(/\/download$/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('button', { name: '1:1' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not every pixel can be shown' })).toContainText(
    'this is the preview. It is too large for the memory.',
  )
  await expect(page.locator('img[data-image-of]')).toBeVisible()
  await expectAccessible(page)
  expectRefusals(complaints, 404)
})
