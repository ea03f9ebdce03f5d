import { still } from '@/fixtures/artwork'
import { expect, expectAccessible, expectRefusals, listen, test } from './support/test'
import { ask, type Named, photoInReview, sendFile, signIn } from './support/workspace'

/** Comments carry files: a colleague's, and those of a guest on a phone. */

const sketch = () =>
  still(
    { brand: 'Sketch', headline: 'Move this up', colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'], shape: 'peaks' },
    640,
    400,
    'png',
  )

test('a comment carries files, and what is refused takes no word with it', async ({ page, complaints }) => {
  await signIn(page, 'coordinator')
  const { path, file } = await photoInReview(page, 900, 600)
  await page.goto(`${path}/review?file=${file.id}`)
  await page.getByRole('tab', { name: /Comments/ }).click()
  const words = page.getByRole('textbox', { name: 'Comment' })
  const chosen = page.getByRole('list', { name: 'Files to attach' })
  const choose = page.locator('form', { has: words }).locator('input[type=file]')
  await words.fill('As in this sketch')

  // What can never be attached says so before anything is sent.
  await choose.setInputFiles([
    { name: 'sketch.png', mimeType: 'image/png', buffer: await sketch() },
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'CON.txt', mimeType: 'text/plain', buffer: Buffer.from('a device of Windows') },
  ])
  await expect(page.getByText('“nothing.txt” is empty.')).toBeVisible()
  await expect(chosen.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const thread = page.getByRole('listitem').filter({ hasText: 'As in this sketch' })
  await expect(thread.getByRole('link', { name: 'Download sketch.png' })).toBeVisible()
  await expect(thread.getByRole('link', { name: 'View sketch.png' })).toBeVisible()
  await expect(page.getByText('The comment was sent without these files')).toBeVisible()
  await expect(page.getByText(/is the name of a device on Windows/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave them out' }).click()
  await expect(page.getByText('The comment was sent without these files')).toHaveCount(0)

  // A reply takes a file that is pasted.
  await thread.getByRole('button', { name: 'Reply' }).click()
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Or like this')
  await reply.evaluate((field) => {
    const pasted = new DataTransfer()
    pasted.items.add(new File(['a, b'], 'sizes.csv', { type: 'text/csv' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
  })
  await expect(chosen.getByText('sizes.csv')).toBeVisible()
  await page.locator('form', { has: reply }).getByRole('button', { name: 'Reply', exact: true }).click()
  const download = thread.getByRole('link', { name: 'Download sizes.csv' })
  await expect(download).toBeVisible()
  const [saved] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(saved.suggestedFilename()).toBe('sizes.csv')
  await expectAccessible(page)

  await thread.getByRole('button', { name: 'Remove sketch.png from the comment' }).click()
  await expect(thread.getByRole('link', { name: 'Download sketch.png' })).toHaveCount(0)
  expectRefusals(complaints, 422)
})

test('a guest attaches on a phone what the team sees, and nothing of the team’s own', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { path, batch, file } = await photoInReview(page, 900, 600)
  const { url } = await ask<{ url: string }>(page, '/api/review-links', {
    batch_id: batch.id,
    name: 'Ines Duarte',
    party: 'client',
  })
  for (const [body, is_internal] of [
    ['See the guide', false],
    ['Between us', true],
  ] as const) {
    const place = `/api${path}/files/${file.id}/comments`
    const { id } = await ask<Named>(page, place, { body, is_internal })
    await sendFile(page, `${place}/${id}/attachments`, {
      name: is_internal ? 'inside.txt' : 'guide.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(body),
    })
  }
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  listen(phone, complaints)
  const guest = await phone.newPage()
  await guest.goto(url)
  await expect(guest.getByRole('link', { name: 'Download guide.txt' })).toBeVisible()
  await expect(guest.getByText('inside.txt')).toHaveCount(0)
  const words = guest.getByRole('textbox', { name: 'Comment' })
  await words.fill('Like in our brand book')
  await guest
    .locator('form', { has: words })
    .locator('input[type=file]')
    .setInputFiles([{ name: 'book.png', mimeType: 'image/png', buffer: await sketch() }])
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'Send comment' }).click()
  await expect(guest.getByRole('link', { name: 'View book.png' })).toBeVisible()
  await expectAccessible(guest)

  await page.goto(`${path}/review?file=${file.id}`)
  await page.getByRole('tab', { name: /Comments/ }).click()
  await expect(page.getByRole('link', { name: 'Download book.png' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download inside.txt' })).toBeVisible()
  await phone.close()
})
