import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { type Design, still } from '@/fixtures/artwork'
import { clip } from '@/fixtures/deliveries'
import { expect, expectAccessible, test } from './support/test'
import { ask, demoOperator, type Named, newProject, sendFile, signIn } from './support/workspace'

/** Two to four files or versions, of several batches, at the same zoom, place and time. */

const design = (headline: string): Design => ({
  brand: 'Compare',
  headline,
  colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
  shape: 'peaks',
})

async function newBatch(page: Page, project: Named, name: string) {
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name,
    operator_id: await demoOperator(page),
  })
  return `/projects/${project.id}/batches/${batch.id}`
}

const transforms = (page: Page) =>
  page
    .locator('[data-compared]')
    .evaluateAll((boxes) => [...new Set(boxes.map((box) => (box as HTMLElement).style.transform))])

test('four files of two batches are compared at one zoom, and the address holds all of them', async ({ page }) => {
  await signIn(page, 'coordinator')
  const serial = Date.now().toString(36)
  const project = await newProject(page, `Compare ${serial}`)
  const [here, there] = [await newBatch(page, project, 'English'), await newBatch(page, project, 'German')]
  const send = async (path: string, name: string) =>
    sendFile<Named>(page, `/api${path}/files`, {
      name: `${name}_${serial}.png`,
      mimeType: 'image/png',
      buffer: await still(design(name), 640, 400, 'png'),
    })
  const first = await send(here, 'hello')
  for (const [path, name] of [
    [here, 'again'],
    [there, 'hallo'],
    [there, 'nochmal'],
  ] as const)
    await send(path, name)

  await page.goto(`${here}/review?file=${first.id}`)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByText('Add a file or a version to see it beside this one')).toBeVisible()
  await expectAccessible(page)
  for (const name of ['hallo', 'again', 'nochmal']) {
    await page.getByRole('button', { name: 'Add a file' }).click()
    await page.getByRole('searchbox', { name: 'Any file, by its name' }).fill(`${name}_${serial}`)
    await page
      .getByRole('list', { name: 'Files' })
      .getByRole('button', { name: `${name}_${serial}.png` })
      .click()
    await expect(page.getByRole('img', { name: `Version 1 of ${name}_${serial}.png` })).toBeVisible()
  }
  await expect(page.locator('[data-compared]')).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Add a file' })).toHaveCount(0)
  await expectAccessible(page)

  // One zoom and one place for all: by key, by wheel at a place, by dragging.
  expect(await transforms(page)).toEqual([''])
  await page.keyboard.press('+')
  await expect.poll(() => transforms(page)).toEqual([expect.stringContaining('scale(1.25)')])
  const last = page.locator('[data-compared]').last()
  const box = await last.boundingBox()
  if (!box) throw new Error('There is no image.')
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4)
  await page.mouse.wheel(0, -600)
  const zoomed = await transforms(page)
  expect(zoomed).toHaveLength(1)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 4 + 40, box.y + box.height / 4 + 30, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => transforms(page)).not.toEqual(zoomed)
  expect(await transforms(page)).toHaveLength(1)
  await page.keyboard.press('0')
  await expect.poll(() => transforms(page)).toEqual([''])

  // The address, opened anew, shows the same; of several one lies under the slider.
  const address = page.url()
  await page.goto('/projects')
  await page.goto(address)
  await expect(page.locator('[data-compared]')).toHaveCount(4)
  await page.getByRole('radio', { name: 'Slider' }).click()
  await page.getByRole('combobox', { name: 'Against' }).click()
  await page.getByRole('option', { name: `nochmal_${serial}.png, version 1` }).click()
  await expect(page.getByRole('img', { name: `Version 1 of nochmal_${serial}.png` })).toBeVisible()
  await expect(page).toHaveURL(/mode=slider&against=/)
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Side by side' }).click()
  await page.getByRole('button', { name: `Do not compare with again_${serial}.png, version 1` }).click()
  await expect(page.locator('[data-compared]')).toHaveCount(3)

  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  for (const image of await page.locator('[data-compared]').all()) await expect(image).toBeInViewport({ ratio: 0.9 })
})

test('three videos run at one time', async ({ page }) => {
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Videos ${Date.now().toString(36)}`)
  const path = await newBatch(page, project, 'Cuts')
  const sent: Named[] = []
  for (const [index, seconds] of [4, 4, 2].entries())
    sent.push(
      await sendFile<Named>(page, `/api${path}/files`, {
        name: `cut-${index}.mp4`,
        mimeType: 'video/mp4',
        buffer: await clip(design(`Cut ${index}`), 320, 180, seconds, 25),
      }),
    )
  const [first, ...others] = sent.map(({ id }) => id)
  await page.goto(`${path}/review?file=${first}#compare=${others.join(',')}`)
  await expect(page.locator('video')).toHaveCount(3)
  const position = page.getByLabel('Position in all of them')
  await expect(position).toHaveAttribute('max', /^[34]/)
  const times = () =>
    page.locator('video').evaluateAll((videos) => videos.map((one) => (one as HTMLVideoElement).currentTime))
  await position.fill('1.2')
  await expect.poll(times).toEqual([1.2, 1.2, 1.2])
  await page.getByRole('button', { name: 'One frame forward' }).click()
  await expect.poll(times).toEqual(Array.from({ length: 3 }, () => expect.closeTo(1.24, 2)))
  // The one that is shorter stands at its end.
  await position.fill('3')
  await expect.poll(async () => Math.max(...(await times()))).toBeCloseTo(3, 1)
  await expect.poll(async () => Math.min(...(await times()))).toBeLessThan(2.1)
  await expectAccessible(page)
})

type Size = readonly [width: number, height: number]

/** An image in a format of which browsers show a preview only; its middle pixel is of this colour. */
async function poster(serial: string, [width, height]: Size, middle: readonly [number, number, number]) {
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at += 3) data.set([40, 80, 120], at)
  data.set(middle, ((height / 2) * width + width / 2) * 3)
  return sharp(data, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { ImageDescription: `${serial} ${middle}` } })
    .tiff({ compression: 'lzw' })
    .toBuffer()
}

/** Pixels of the pane of a comparison that pass, as many as there are. */
async function seenOn(page: Page, passes: (red: number, green: number, blue: number) => boolean) {
  const shot = await page.locator('[data-pane]').screenshot()
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < info.width * info.height * 3; at += 3)
    if (passes(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) count += 1
  return count
}

const SIZES: [what: string, size: Size][] = [
  ['large images', [3000, 2000]],
  ['images of less than 4 megapixels', [1900, 1400]],
]
for (const [what, size] of SIZES)
  test(`one pixel that differs between two ${what} is seen, by difference and by slider`, async ({ page }) => {
    await signIn(page, 'coordinator')
    const serial = Date.now().toString(36)
    const path = await newBatch(page, await newProject(page, `Pixels ${serial}`), 'Posters')
    const send = async (name: string, middle: readonly [number, number, number]) =>
      sendFile<Named>(page, `/api${path}/files`, {
        name: `${name}_${serial}.tif`,
        mimeType: 'image/tiff',
        buffer: await poster(serial, size, middle),
      })
    const [red, plain] = [await send('red', [240, 80, 120]), await send('plain', [40, 80, 120])]
    await page.goto(`${path}/review?file=${red.id}#compare=${plain.id}&mode=difference`)
    await expect(page.getByRole('img', { name: `Version 1 of red_${serial}.tif` })).toBeVisible()
    // The whole is drawn by previews, which mix the pixel with its neighbours.
    await expect(page.locator('canvas[data-image-of]')).toHaveCount(0)
    await page.keyboard.press('1')
    const complete = page.locator('canvas[data-image-of][data-complete=true]')
    await expect(complete).toHaveCount(2, { timeout: 90_000 })
    await expect(page.getByRole('status').filter({ hasText: 'Preparing every pixel' })).toHaveCount(0)
    const bright = () => seenOn(page, (r, g, b) => r > 200 && g < 10 && b < 10)
    await expect.poll(bright).toBe(1)
    expect(await seenOn(page, (r, g, b) => r + g + b === 0)).toBeGreaterThan(100_000)
    await expectAccessible(page)

    // Four times as large it is a square, and what is equal stays black.
    for (let press = 0; press < 6; press++) await page.keyboard.press('+')
    await expect(complete).toHaveCount(2)
    await expect.poll(bright).toBeGreaterThanOrEqual(9)
    expect(await bright()).toBeLessThanOrEqual(25)

    await page.getByRole('radio', { name: 'Slider' }).click()
    const slider = page.getByRole('slider', { name: /How much of version 1/ })
    const reds = () => seenOn(page, (r, g, b) => r > 230 && Math.abs(g - 80) < 10 && Math.abs(b - 120) < 10)
    await slider.fill('100')
    await expect(complete).toHaveCount(2)
    await expect.poll(reds).toBeGreaterThanOrEqual(9)
    await slider.fill('0')
    await expect.poll(reds).toBe(0)
    await expectAccessible(page)
    await page.keyboard.press('0')
    await expect(page.locator('canvas[data-image-of]')).toHaveCount(0)
  })
