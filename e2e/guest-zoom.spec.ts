import { expect, expectAccessible, listen, test } from './support/test'
import { ask, photoInReview, signIn } from './support/workspace'

/** Large images are zoomed to their pixels by people without an account. */

test('a guest zooms to every pixel with their name in it, and not where neither downloads nor a watermark are', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { path, batch, file } = await photoInReview(page, 3000, 2000)
  const link = async (given: object) =>
    (
      await ask<{ url: string }>(page, '/api/review-links', {
        batch_id: batch.id,
        name: 'Ines Duarte',
        party: 'client',
        ...given,
      })
    ).url
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  listen(phone, complaints)
  const guest = await phone.newPage()

  // Previews only: neither the button, nor a tile.
  await guest.goto(await link({ watermark: false }))
  await expect(guest.getByRole('img', { name: 'poster.jpg' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Zoom to every pixel' })).toHaveCount(0)

  await guest.goto(await link({}))
  const tile = guest.waitForResponse((response) => /\/tiles\/\d+\/\d+\/\d+$/.test(response.url()))
  await guest.getByRole('button', { name: 'Zoom to every pixel' }).click()
  const dialog = guest.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'poster.jpg' })).toBeVisible()
  await expect(dialog.getByText('Preparing every pixel')).toHaveCount(0, { timeout: 60_000 })
  await dialog.getByRole('button', { name: '1:1' }).click()
  expect((await tile).headers()['cache-control']).toBe('private, no-cache')
  await expect(dialog.locator('canvas')).toHaveAttribute('data-complete', 'true')
  await expect(dialog.getByText('100 %')).toBeVisible()
  await expectAccessible(guest)

  // Two fingers zoom further, around what is between them.
  const canvas = await dialog.locator('canvas').boundingBox()
  if (!canvas) throw new Error('There is no image.')
  await dialog.locator('canvas').evaluate((element) => {
    const at = (type: string, pointerId: number, clientX: number) =>
      element.dispatchEvent(
        new PointerEvent(type, { pointerId, pointerType: 'touch', clientX, clientY: 300, bubbles: true, button: 0 }),
      )
    const capture = element.closest('[data-base-ui-swipe-ignore]') as HTMLElement
    // Only a real pointer can be captured.
    capture.setPointerCapture = () => undefined
    at('pointerdown', 11, 150)
    at('pointerdown', 12, 200)
    at('pointermove', 12, 250)
    at('pointerup', 11, 150)
    at('pointerup', 12, 250)
  })
  await expect(dialog.getByText('200 %')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  // The receiver of a share link zooms where the file may be downloaded, to its own pixels.
  await ask(page, `/api${path}/review`, { file_ids: [file.id], decision: 'approve' })
  for (const may_download of [true, false]) {
    const { url } = await ask<{ url: string }>(page, '/api/share-links', {
      batch_id: batch.id,
      name: 'Paula',
      may_download,
    })
    await guest.goto(url)
    await guest.getByRole('button', { name: 'View poster.jpg' }).click()
    await expect(dialog.getByRole('img', { name: 'poster.jpg' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Zoom to every pixel' })).toHaveCount(may_download ? 1 : 0)
    if (!may_download) continue
    await dialog.getByRole('button', { name: 'Zoom to every pixel' }).click()
    await dialog.getByRole('button', { name: '1:1' }).click()
    await expect(dialog.locator('canvas')).toHaveAttribute('data-complete', 'true')
    await expectAccessible(guest)
  }
  await phone.close()
})
