import type { Locator, Page } from '@playwright/test'
import type { File } from '@/lib/domain/files/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, demoOperator, type Named, photo, sendFile, signIn } from './support/workspace'

/** The drawer of the batch page is the review room in small: the same parts, keys and addresses. */

async function batchOf(page: Page, names: readonly string[]) {
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const project = await ask<Named>(page, '/api/projects', {
    name: `Drawer ${Date.now().toString(36)}`,
    agency_id: agencies[0]?.id,
  })
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Posters',
    media_category_id: media_categories.find((each) => each.name === 'Mixed deliverables')?.id,
    operator_id: await demoOperator(page),
  })
  const path = `/projects/${project.id}/batches/${batch.id}`
  const sent: Named[] = []
  for (const name of names)
    sent.push(
      await sendFile<Named>(page, `/api${path}/files`, { name, mimeType: 'image/jpeg', buffer: await photo(600, 400) }),
    )
  await ask(page, `/api${path}/submit`, {})
  const checked = async () => {
    const { results } = await ask<{ results: { status: string }[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)
    return results.filter(({ status }) => status === 'completed').length
  }
  await expect.poll(checked, { timeout: 90_000 }).toBe(names.length)
  return { path, sent }
}

/** What can be done with a file, in the drawer or in the room: the names of buttons, links and tabs. */
const actionsIn = (place: Locator) =>
  place.evaluate((root) =>
    [...root.querySelectorAll('button, a[href], [role=tab]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\d+|[ark]$/g, ''))
      .sort(),
  )

test('a file is reviewed in the drawer as in the room, by the same keys, and its comments are linked to in both', async ({
  page,
  context,
}) => {
  await signIn(page, 'coordinator')
  const { path, sent } = await batchOf(page, ['one.jpg', 'two.jpg', 'three.jpg'])
  const [one, two] = sent
  await page.goto(`${path}?order=name#file=${one?.id}`)
  const drawer = page.getByRole('dialog', { name: 'one.jpg' })
  await expect(drawer.getByRole('tab', { name: /^Findings/ })).toBeVisible()
  await expect(drawer.getByRole('img', { name: 'one.jpg' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Run again' })).toBeVisible()
  await expectAccessible(page)
  const inDrawer = await actionsIn(drawer)

  // A comment at a place, by keys and pointer; Escape leaves the field, and only then the drawer.
  await drawer.getByRole('tab', { name: /^Findings/ }).focus()
  await page.keyboard.press('c')
  await drawer.getByRole('img', { name: 'one.jpg' }).click({ position: { x: 60, y: 60 } })
  await page.keyboard.type('The sky is pale.')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeVisible()
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(drawer.getByRole('button', { name: /^Comment 1: The sky is pale/ })).toBeVisible()
  await expectAccessible(page)

  // The new tab opens the room at that comment.
  const opening = context.waitForEvent('page')
  await drawer.getByRole('link', { name: 'Open in a new tab' }).click()
  const room = await opening
  await expect(room.getByRole('button', { name: /^Comment 1: The sky is pale/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  const address = new URL(room.url())
  expect(address.hash).toMatch(/^#comment=[0-9a-f-]{36}$/)
  await room.goto(`${path}/review?file=${one?.id}`)
  await expect(room.getByRole('button', { name: 'Run again' })).toBeVisible()
  const inRoom = await actionsIn(room.locator('main, aside').locator('xpath=..').first())
  expect(inRoom).toEqual(expect.arrayContaining(inDrawer.filter((name) => name !== 'Close')))
  await room.close()

  // The same address after # opens it in the drawer, too.
  await page.goto('about:blank')
  await page.goto(`${path}?order=name#file=${one?.id}&${address.hash.slice(1)}`)
  await expect(drawer.getByRole('button', { name: /^Comment 1: The sky is pale/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  // a decides and goes on, as in the room; u takes it back.
  const decisionOf = async (id?: string) => (await ask<File>(page, `/api${path}/files/${id}`)).review.decision
  await page.keyboard.press('a')
  const next = page.getByRole('dialog', { name: /^(two|three)\.jpg$/ })
  await expect(next).toBeVisible()
  await expect.poll(() => decisionOf(one?.id)).toBe('approved')
  expect(new URL(page.url()).hash).not.toContain('comment=')
  await page.keyboard.press('u')
  await expect(drawer).toBeVisible()
  await expect.poll(() => decisionOf(one?.id)).toBe('pending')

  // Neighbours, and the whole room by its key.
  await page.keyboard.press('j')
  await expect(next).toBeVisible()
  await page.keyboard.press('k')
  await expect(drawer).toBeVisible()
  await page.keyboard.press('o')
  await page.waitForURL(new RegExp(`/review\\?file=${one?.id}`))
  await expect(page.getByRole('navigation', { name: 'Files of this batch' })).toBeVisible()
  expect(two).toBeDefined()
})

test('the drawer on a phone holds the file, its findings and the decision', async ({ page, browser }) => {
  await signIn(page, 'coordinator')
  const { path, sent } = await batchOf(page, ['tall.jpg'])
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const hand = await phone.newPage()
  await signIn(hand, 'coordinator')
  await hand.goto(`${path}#file=${sent[0]?.id}`)
  const drawer = hand.getByRole('dialog', { name: 'tall.jpg' })
  await expect(drawer.getByRole('img', { name: 'tall.jpg' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Approve', exact: true })).toBeInViewport()
  await drawer.getByRole('tab', { name: /^Comments/ }).click()
  await drawer.getByRole('textbox', { name: 'Comment' }).fill('From the train')
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(drawer.getByText('From the train')).toBeVisible()
  await expectAccessible(hand)
  await phone.close()
})

type Said = Named & {
  body: string
  mentions: Named[]
  shapes: { kind: string; x?: number }[]
  edited_at: string | null
}

test('a comment names a person, who is notified and led to it; its author changes its words and moves what is drawn', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator')
  const { path, sent } = await batchOf(page, ['sky.jpg'])
  const file = `/api${path}/files/${sent[0]?.id}`
  const { people } = await ask<{ people: Named[] }>(page, `/api${path}/people`)
  const operatorId = await demoOperator(page)
  const operator = people.find(({ id }) => id === operatorId)
  await page.goto(`${path}#file=${sent[0]?.id}`)
  const drawer = page.getByRole('dialog', { name: 'sky.jpg' })
  await drawer.getByRole('tab', { name: /^Comments/ }).click()
  const field = drawer.getByRole('textbox', { name: 'Comment' })
  await field.fill('Please look, ')
  await field.press('End')
  await field.pressSequentially(`@${operator?.name.slice(0, 4)}`)
  await expect(drawer.getByRole('option', { name: operator?.name ?? '' })).toBeVisible()
  await expectAccessible(page)
  await field.press('Escape')
  await expect(drawer.getByRole('option')).toHaveCount(0)
  await field.pressSequentially(operator?.name.slice(4, 5) ?? '')
  await field.press('Enter')
  await field.pressSequentially('the sky is pale')
  await field.press('Control+Enter')
  await expect(drawer.locator('[data-mention]')).toHaveText(`@${operator?.name}`)
  const said = async () => (await ask<{ comments: Said[] }>(page, `/api${path}/comments`)).comments.at(-1)
  expect((await said())?.body).toBe(`Please look, @${operator?.name} the sky is pale`)
  await expectAccessible(page)

  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, 'operator', '/inbox')
  await other
    .getByRole('link', { name: /mentioned you on sky\.jpg/ })
    .first()
    .click()
  await expect(other.locator('[data-mention]')).toHaveText(`@${operator?.name}`)
  await expect(other.getByRole('button', { name: 'Change this comment' })).toHaveCount(0)
  await context.close()

  // Words first; then what is drawn, by pointer and by keys.
  await drawer.getByRole('button', { name: 'Change this comment' }).click()
  const words = drawer.getByRole('textbox', { name: 'Words of the comment' })
  await words.press('End')
  await words.pressSequentially(', still')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('edited')).toBeVisible()
  expect(await said()).toMatchObject({ mentions: [{ id: operator?.id }] })

  const box = (x: number) => ({ kind: 'box', colour: 'red', x, y: 0.2, width: 0.2, height: 0.2 })
  const drawn = {
    body: 'Both of these',
    anchor: { kind: 'region', x: 0.1, y: 0.2, width: 0.6, height: 0.2 },
    shapes: [box(0.1), box(0.5)],
  }
  await ask(page, `${file}/comments`, drawn)
  await page.goto(`${path}/review?file=${sent[0]?.id}`)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Both of these' })
    .getByRole('button', { name: 'Change this comment' })
    .click()
  const shapes = page.getByRole('button', { name: /^Box, red, \d of \d/ })
  await expect(shapes).toHaveCount(2)
  await expectAccessible(page)
  const first = await shapes.first().boundingBox()
  if (!first) throw new Error('There is no shape to drag.')
  await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2)
  await page.mouse.down()
  await page.mouse.move(first.x + first.width, first.y + first.height, { steps: 5 })
  await page.mouse.up()
  await shapes.nth(1).press('Delete')
  await expect(shapes).toHaveCount(1)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await said())?.shapes.length).toBe(1)
  expect((await said())?.shapes[0]?.x).toBeCloseTo(0.2, 1)
  expect((await said())?.body).toBe('Both of these')
})
