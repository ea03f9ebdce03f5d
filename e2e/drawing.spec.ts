import type { Locator, Page } from '@playwright/test'
import type { Design } from '@/fixtures/artwork'
import { clip } from '@/fixtures/deliveries'
import type { File } from '@/lib/domain/files/schema'
import { expect, expectAccessible, listen, test } from './support/test'
import { ask, batchWith, type Named, photo, sendFile, signIn } from './support/workspace'

/** What is meant is drawn on the image: by the team, by keyboard, and by a client on a phone. */

type Drawn = { body: string; anchor: { kind: string; page?: number; time?: number } | null; shapes: Shape[] }
type Shape = { kind: string; colour: string; points?: [number, number][]; x?: number; y?: number; text?: string }

const comments = (page: Page, path: string) =>
  ask<{ comments: Drawn[] }>(page, `/api${path}/comments`).then((list) => list.comments)

/** Draws from one place of an element to another, by shares of it. */
async function drag(page: Page, sheet: Locator, from: [number, number], to: [number, number]) {
  const box = await sheet.boundingBox()
  if (!box) throw new Error('There is no sheet to draw on.')
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + 0.03]), { steps: 6 })
  await page.mouse.move(...at(to), { steps: 6 })
  await page.mouse.up()
}

test('a comment is drawn on an image, by pointer and by keys, and is seen again with the next version', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const { path, sent } = await batchWith(page, [
    { name: 'north.jpg', mimeType: 'image/jpeg', buffer: await photo(1200, 800) },
  ])
  await page.goto(`${path}/review?file=${sent[0]?.id}`)
  const sheet = page.getByRole('application', { name: /Drawing sheet/ })
  const pens = page.getByRole('group', { name: 'Pen' })

  // By pointer: freehand first, a label last; the one too much is taken back.
  await page.getByRole('button', { name: 'Draw', exact: true }).click()
  await drag(page, sheet, [0.2, 0.3], [0.4, 0.5])
  await pens.getByRole('button', { name: 'Box' }).click()
  await page.getByRole('group', { name: 'Colour' }).getByRole('button', { name: 'Yellow' }).click()
  await drag(page, sheet, [0.5, 0.2], [0.8, 0.6])
  await drag(page, sheet, [0.1, 0.1], [0.3, 0.2])
  await expect(sheet.getByRole('button')).toHaveCount(3)
  await sheet.focus()
  await page.keyboard.press('Control+z')
  await expect(sheet.getByRole('button')).toHaveCount(2)
  await pens.getByRole('button', { name: 'Label' }).click()
  await sheet.click({ position: { x: 60, y: 40 } })
  await page.getByRole('textbox', { name: 'Words of the label' }).fill('Brighter here')
  await page.keyboard.press('Enter')
  await expect(sheet.getByRole('button', { name: /Label “Brighter here”/ })).toBeAttached()

  // By keys alone: an arrow in the middle, moved and made longer.
  await sheet.focus()
  await page.keyboard.press('w')
  await expect(pens.getByRole('button', { name: 'Arrow' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Enter')
  const arrow = sheet.getByRole('button', { name: /^Arrow, yellow/ })
  await expect(arrow).toBeFocused()
  for (const key of ['Shift+ArrowRight', 'ArrowDown', 'Alt+ArrowUp']) await page.keyboard.press(key)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Write comment' }).click()
  const words = page.getByRole('textbox', { name: 'Comment' })
  await expect(words).toBeFocused()
  await expect(page.getByText(/^Drawing at/)).toBeVisible()
  await words.fill('The left half is too dark')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'The left half is too dark' })).toBeVisible()
  const [made] = await comments(page, path)
  expect(made?.shapes.map(({ kind, colour }) => `${kind} ${colour}`)).toEqual([
    'stroke red',
    'box yellow',
    'text yellow',
    'arrow yellow',
  ])
  expect(made?.shapes[1]).toMatchObject({ x: expect.closeTo(0.5, 1), y: expect.closeTo(0.2, 1) })
  expect(made?.shapes[0]?.points?.length).toBeLessThan(20)
  expect(made?.anchor).toMatchObject({ kind: 'region' })

  // Whoever comes later sees it; Escape leaves what is drawn and takes the pens away.
  await page.reload()
  await expect(page.locator('[data-drawn="4"] path').first()).toBeVisible()
  await page.keyboard.press('d')
  await expect(pens).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(pens).toHaveCount(0)

  // A drawing that was begun is there again once another comment was changed.
  await page.keyboard.press('d')
  await pens.getByRole('button', { name: 'Box' }).click()
  await drag(page, sheet, [0.1, 0.6], [0.3, 0.8])
  await page.getByRole('tab', { name: /Comments/ }).click()
  await page.getByRole('button', { name: 'Change this comment' }).click()
  await expect(sheet.getByRole('button')).toHaveCount(4)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('d')
  await expect(sheet.getByRole('button', { name: /^Box/ })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the drawing' }).click()

  // On the next version it is shown at the same place once it is chosen.
  await ask(page, `/api${path}/submit`, {})
  const first = sent[0]?.id
  await ask(page, `/api${path}/files/${first}/review`, { decision: 'reject', comment: 'Too dark.' })
  await ask(page, `/api${path}/complete-review`, {})
  const next = await sendFile<Named>(page, `/api${path}/files`, {
    name: 'north.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo(1200, 800),
  })
  await page.goto(`${path}/review?file=${next.id}`)
  await page.getByRole('tab', { name: /Comments/ }).click()
  await expect(page.locator('[data-drawn="4"]')).toHaveCount(0)
  await page.getByRole('button', { name: /^Drawing at/ }).click()
  await expect(page.getByRole('img', { name: 'Place of a comment on version 1' })).toBeVisible()
  await expect(page.locator('[data-drawn="4"] path').first()).toBeVisible()
  await expectAccessible(page)

  // It is seen against the difference of both, and copied to the newest.
  await page.getByRole('button', { name: 'Compare versions' }).click()
  await page.getByRole('radio', { name: 'Difference' }).click()
  await expect(page.locator('[data-drawn="4"] path').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy to this version' }).click()
  await expect(page.getByText('Still open from earlier versions')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Comment 1: The left half/ })).toBeVisible()
})

test('a frame of a video is drawn on, and stays drawn on', async ({ page }) => {
  await signIn(page, 'coordinator')
  const design: Design = {
    brand: 'Draw',
    headline: 'Frame',
    colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
    shape: 'rings',
  }
  const { path, sent } = await batchWith(page, [
    { name: 'ride.mp4', mimeType: 'video/mp4', buffer: await clip(design, 320, 180, 4, 25) },
  ])
  await page.goto(`${path}/review?file=${sent[0]?.id}`)
  const position = page.getByLabel('Position')
  await expect(position).toHaveAttribute('max', /^[34]/)
  await position.fill('1.2')
  await page.getByRole('button', { name: 'Draw', exact: true }).click()
  const sheet = page.getByRole('application', { name: /Drawing sheet/ })
  await drag(page, sheet, [0.2, 0.3], [0.6, 0.6])
  await expect(sheet.getByRole('button')).toHaveCount(1)

  // At another time there is nothing of it; who draws there is brought back to the frame.
  await position.fill('3')
  await expect(sheet.getByRole('button')).toHaveCount(0)
  await sheet.click()
  await expect(page.getByText('One comment is drawn on one frame')).toBeVisible()
  await expect(position).toHaveValue('1.2')
  await expect(sheet.getByRole('button')).toHaveCount(1)
  await page.getByRole('button', { name: 'Write comment' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('The wheel')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Comment 1 at/ })).toBeVisible()
  expect((await comments(page, path))[0]).toMatchObject({ anchor: { kind: 'region', time: 1.2 } })
  await position.fill('3')
  await expect(page.locator('[data-drawn="1"]')).toHaveCount(0)
  await page.getByRole('button', { name: /^Comment 1 at/ }).click()
  await expect(page.locator('[data-drawn="1"] path').first()).toBeVisible()
  await expectAccessible(page)
})

test('a client draws on a phone, and sees what the team drew', async ({ page, browser, complaints }) => {
  await signIn(page, 'coordinator')
  const { path, batch, sent } = await batchWith(page, [
    { name: 'south.jpg', mimeType: 'image/jpeg', buffer: await photo(900, 600) },
  ])
  const file = sent[0]?.id
  // The guest sees it from the first moment.
  const preview = async () => (await ask<File>(page, `/api${path}/files/${file}`)).preview_url
  await expect.poll(preview, { timeout: 120_000 }).toBeTruthy()
  const box = { kind: 'box', colour: 'blue', x: 0.1, y: 0.1, width: 0.3, height: 0.3 }
  const anchor = { kind: 'region', x: 0.1, y: 0.1, width: 0.3, height: 0.3 }
  await ask(page, `/api${path}/files/${file}/comments`, { body: 'Logo here', anchor, shapes: [box] })
  await ask(page, `/api${path}/files/${file}/comments`, {
    body: 'Between us',
    anchor,
    shapes: [box, box],
    is_internal: true,
  })
  const link = await ask<{ url: string }>(page, '/api/review-links', {
    batch_id: batch.id,
    name: 'Ines Duarte',
    party: 'client',
  })

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' })
  listen(phone, complaints)
  const client = await phone.newPage()
  await client.goto(link.url)
  const article = client.getByRole('article', { name: 'south.jpg' })
  await expect(article.locator('[data-drawn="1"] path').first()).toBeVisible()
  await expect(article.locator('[data-drawn="2"]')).toHaveCount(0)
  await article.getByRole('button', { name: 'Draw on it' }).click()
  const sheet = article.getByRole('application', { name: /Drawing sheet/ })
  await sheet.scrollIntoViewIfNeeded()
  await drag(client, sheet, [0.5, 0.5], [0.8, 0.7])
  await expect(sheet.getByRole('button')).toHaveCount(1)
  await expectAccessible(client)
  await article.getByRole('button', { name: 'Write comment' }).click()
  await expect(article.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await article.getByRole('textbox', { name: 'Comment' }).fill('And the tagline there')
  await article.getByRole('button', { name: 'Send comment' }).click()
  await expect(article.getByText('And the tagline there')).toBeVisible()
  await expect(article.locator('[data-drawn="1"]')).toHaveCount(2)
  await expectAccessible(client)
  await phone.close()

  // The team sees it under the name of the client.
  await page.goto(`${path}/review?file=${file}`)
  await page.getByRole('tab', { name: /Comments/ }).click()
  const thread = page.getByRole('listitem').filter({ hasText: 'And the tagline there' })
  await thread.getByRole('button', { name: /^Drawing at/ }).click()
  await expect(page.locator('[data-drawn="1"] path').first()).toBeVisible()
  expect((await comments(page, path)).at(-1)?.shapes).toMatchObject([{ kind: 'stroke', colour: 'red' }])
})

test('comments are taken away in the PDF they are about, and a batch on a contact sheet', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { projects } = await ask<{ projects: Named[] }>(page, '/api/projects')
  const project = projects.find(({ name }) => /Luma Skin/.test(name))?.id
  const { batches } = await ask<{ batches: Named[] }>(page, `/api/projects/${project}/batches`)
  const path = `/projects/${project}/batches/${batches.find(({ name }) => name === 'Magazine page')?.id}`
  await page.goto(`${path}/review`)
  await expect(page.getByText(/^Page 1 of/)).toBeVisible()
  await page.keyboard.press('d')
  const sheet = page.getByRole('application', { name: /Drawing sheet/ })
  await drag(page, sheet, [0.3, 0.3], [0.6, 0.5])
  await page.getByRole('button', { name: 'Write comment' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Too close to the trim')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('button', { name: 'Export comments' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'PDF with the comments in it' }).click()
  expect((await download).suggestedFilename()).toMatch(/, with comments\.pdf$/)
  expect(await (await download).failure()).toBeNull()

  await page.goto(path)
  const sheetDownload = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Contact sheet, PDF' }).click()
  expect((await sheetDownload).suggestedFilename()).toBe('Magazine page, contact sheet.pdf')
  expect(await (await sheetDownload).failure()).toBeNull()
})
