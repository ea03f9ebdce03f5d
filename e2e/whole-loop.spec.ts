import { writeFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { type Design, still } from '@/fixtures/artwork'
import { isGenuine, type MailServer, type Receiver, startMailServer, startReceiver } from './support/correspondents'
import { type Product, startProduct } from './support/product'
import { test as base, expect, expectAccessible, expectRefusals, listen } from './support/test'
import { ask, choose, signIn } from './support/workspace'

/**
 * The loop that decides: two rounds between an agency, an operator and a coordinator, each in a browser of their own, in
 * a Greenroom that writes to a real mail server and to a receiver of webhooks. What both got is held against what the
 * people were notified of in the app.
 */

type Workspace = { product: Product; mail: MailServer; hooks: Receiver }

const test = base.extend<object, { workspace: Workspace }>({
  workspace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const mail = await startMailServer()
      const hooks = await startReceiver()
      const product = await startProduct({ SMTP_URL: mail.url, WEBHOOK_PRIVATE_ADDRESSES: 'allow' })
      await use({ product, mail, hooks })
      await product.stop()
      mail.stop()
      hooks.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  baseURL: async ({ workspace }, use) => use(workspace.product.url),
})

type Named = { id: string; name: string }

const serial = Date.now().toString(36)
const design = (headline: string): Design => ({
  brand: `Story ${serial}`,
  headline,
  colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
  shape: 'peaks',
})
const nameOf = (title: string, size: string) => `NLS_SPRING27_${title}${serial}_${size}_v1.png`
const upload = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })

const HERO = nameOf('Hero', '300x250')
const WIDE = nameOf('Wide', '728x90')
const TALL = nameOf('Tall', '160x600')

/** A batch that waits for files, and the address the agency is sent. */
async function prepare(page: Page) {
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { campaigns } = await ask<{ campaigns: (Named & { agency: Named })[] }>(page, '/api/campaigns')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const { users } = await ask<{ users: (Named & { email: string })[] }>(page, '/api/users?role=operator')
  const id = (list: Named[], name: RegExp) => list.find((one) => name.test(one.name))?.id
  const operator = users.find(({ email }) => email.startsWith('operator@'))?.id
  const me = await ask<Named>(page, '/api/users/me')
  const project = await ask<Named>(page, '/api/projects', {
    name: `Review ${serial}`,
    agency_id: id(agencies, /Northlight/),
    campaign_id: id(campaigns, /Spring 2027/),
    media_category_id: id(media_categories, /Display banners/),
  })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: `Loop ${serial}`,
    operator_id: operator,
    coordinator_id: me.id,
    due_on: tomorrow,
  })
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id, label: `Loop ${serial}` })
  return { place: `/projects/${project.id}/batches/${batch.id}`, address: new URL(link.url).pathname, batch }
}

/** The agency says that it is all: who submits then is not asked whether more is coming in. */
async function deliver(agency: Page, files: ReturnType<typeof upload>[], accepted: string) {
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  await agency.getByLabel('Choose files').first().setInputFiles(files)
  await expect(uploads.getByText(accepted).first()).toBeVisible({ timeout: 60_000 })
  await agency.getByRole('button', { name: 'Done' }).click()
  await expect(agency.getByRole('region', { name: 'Receipt' })).toBeVisible()
}

async function submit(page: Page, place: string, button: string) {
  await page.goto(place)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText('In review').first()).toBeVisible()
}

async function anotherPerson(browser: Browser, complaints: string[]) {
  const context = await browser.newContext()
  listen(context, complaints)
  return context.newPage()
}

/** Every kind of mail at once, so that the story need not wait for the full hour. */
async function mailAtOnce(page: Page) {
  const path = '/api/notifications/mail-preferences'
  const { preferences } = await ask<{ preferences: { type: string }[] }>(page, path)
  await ask(page, path, { preferences: preferences.map(({ type }) => ({ type, frequency: 'immediate' })) }, 'PUT')
}

/** What a user was notified of in the app about this batch, oldest first. */
async function notifiedInApp(page: Page, place: string): Promise<string[]> {
  const { notifications } = await ask<{ notifications: { title: string; href: string }[] }>(page, '/api/notifications')
  return notifications
    .filter(({ href }) => href.startsWith(place))
    .map(({ title }) => title)
    .reverse()
}

test('a delivery is reviewed, fixed and approved in two rounds, and every person is notified once', async ({
  page,
  browser,
  complaints,
  workspace: { mail, hooks },
}, testInfo) => {
  const admin = await anotherPerson(browser, complaints)
  await signIn(admin, 'admin')
  const { secret } = await ask<{ secret: string }>(admin, '/api/webhooks', { url: hooks.url })
  await signIn(page, 'coordinator')
  await mailAtOnce(page)
  const operator = await anotherPerson(browser, complaints)
  await signIn(operator, 'operator', '/work')
  await mailAtOnce(operator)
  const { place, address, batch } = await prepare(page)
  const room = `${place}/review`

  // The agency delivers: two banners that are right, one that is 2 px too high
  const agency = await anotherPerson(browser, complaints)
  await agency.goto(address)
  await deliver(
    agency,
    [
      upload(HERO, await still(design('Spring starts here'), 300, 250, 'png')),
      upload(WIDE, await still(design('Spring'), 728, 90, 'png')),
      upload(TALL, await still(design('Up'), 160, 602, 'png')),
    ],
    '3 accepted',
  )
  await submit(page, place, 'Submit for review')

  // The operator begins the day at what waits for them, and opens the room
  await operator.goto('/work')
  await expectAccessible(operator)
  const row = operator.getByRole('row', { name: new RegExp(batch.name) })
  await expect(row.getByText('With us')).toBeVisible()
  await expect(row.getByText(/due \d/i)).toBeVisible()
  await row.getByRole('link', { name: new RegExp(batch.name) }).click()
  await expect(operator.getByRole('heading', { name: batch.name })).toBeVisible()
  await expect(operator.getByRole('main').getByRole('img', { name: HERO })).toBeVisible()
  await expect(operator.getByText('0 of 3 decided')).toBeVisible()
  const files = operator.getByRole('navigation', { name: 'Files of this batch' })
  await expect(files.getByText('Queued').or(files.getByText('Running'))).toHaveCount(0, { timeout: 60_000 })
  await expectAccessible(operator)

  // The keyboard help says what it can do, and goes from file to file
  await operator.keyboard.press('?')
  await expect(operator.getByRole('dialog').getByText('Approve, and on to the next')).toBeVisible()
  await operator.keyboard.press('Escape')
  await expect(operator.getByRole('dialog')).toHaveCount(0)
  await operator.keyboard.press('j')
  await expect(operator.getByRole('heading', { name: TALL })).toBeVisible()
  await operator.keyboard.press('k')
  await expect(operator.getByRole('heading', { name: HERO })).toBeVisible()

  // All that pass are approved at once; the one that fails stays
  await operator.getByRole('button', { name: 'Approve all that pass' }).click()
  const passing = operator.getByRole('dialog')
  await expect(passing.getByText('2 files will be approved')).toBeVisible()
  await expect(passing.getByText('Its checks failed.')).toBeVisible()
  await expectAccessible(operator)
  await passing.getByRole('button', { name: 'Approve 2 files' }).click()
  await expect(passing.getByRole('heading', { name: '2 files approved' })).toBeVisible()
  await passing.getByRole('button', { name: 'Done' }).click()
  await expect(operator.getByText('2 of 3 decided')).toBeVisible()
  await expect(operator.getByRole('button', { name: 'Complete review' })).toBeDisabled()

  // A comment is pinned to a region of the failing one
  await files.getByRole('button', { name: new RegExp(TALL) }).click()
  const image = operator.getByRole('main').getByRole('img', { name: TALL })
  await expect(image).toBeVisible()
  await operator.keyboard.press('c')
  const box = await image.boundingBox()
  if (!box) throw new Error('The image is not on screen.')
  await operator.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.6)
  await operator.mouse.down()
  await operator.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.9, { steps: 4 })
  await operator.mouse.up()
  const hostile = 'The foot is cut off <script>alert(1)</script>'
  await operator.getByLabel('Comment', { exact: true }).fill(hostile)
  await operator.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(operator.getByRole('button', { name: /^Comment 1: The foot is cut off/ })).toBeVisible()

  // Rejected, taken back within the minute, and rejected with a coded reason
  await operator.getByRole('button', { name: 'Reject', exact: true }).click()
  await operator.getByLabel('What must be fixed').fill('Too early')
  await operator.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(operator.getByText('3 of 3 decided')).toBeVisible()
  await operator.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(operator.getByText('2 of 3 decided')).toBeVisible()
  await operator.keyboard.press('r')
  const rejecting = operator.getByRole('dialog')
  await rejecting.getByLabel('What must be fixed').fill('It must be 600 px high.')
  await rejecting.getByRole('combobox').click()
  await choose(operator, 'Wrong dimensions')
  await expect(operator.getByRole('listbox')).toHaveCount(0)
  await expectAccessible(operator)
  await rejecting.getByRole('button', { name: 'Reject' }).click()
  await expect(operator.getByText('3 of 3 decided')).toBeVisible()
  await page.goto('/inbox')
  await expect(page.getByText(`commented on ${TALL}`).first()).toBeVisible()
  await expectAccessible(page)
  await operator.getByRole('button', { name: 'Complete review' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: 'Complete review' }).click()
  await expect(operator.getByText('Awaiting resupply').first()).toBeVisible()
  // The coordinator learns of it where they are, without asking
  await expect(page.getByText(`${batch.name} awaits a resupply`).first()).toBeVisible()
  await expect(operator.getByText('With the agency').first()).toBeVisible()

  // The agency is asked for exactly that file, with the reason, the mark and the recipe; the others are locked
  await agency.reload()
  await expect(agency.getByRole('heading', { name: `New versions for ${batch.name}` })).toBeVisible()
  await expect(agency.getByText(TALL).first()).toBeVisible()
  await expect(agency.getByText(HERO)).toHaveCount(0)
  await expect(agency.getByText('Wrong dimensions')).toBeVisible()
  await expect(agency.getByText('It must be 600 px high.')).toBeVisible()
  await expect(agency.getByText(hostile)).toBeVisible()
  await expect(agency.getByRole('heading', { name: 'How to fix it' })).toBeVisible()
  const marked = agency.getByRole('img', { name: new RegExp(`Version 1 of ${TALL}`) })
  await expect(marked).toBeVisible()
  expect(await marked.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(agency)
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([upload(HERO, await still(design('Something else'), 300, 250, 'png'))])
  await expect(agency.getByRole('region', { name: 'Uploads' }).getByText('Not sent')).toBeVisible()
  await deliver(agency, [upload(TALL, await still(design('Up and up'), 160, 600, 'png'))], '1 accepted')

  // Second round: the new version is held against the old one, what was said is resolved, all is approved
  await submit(page, place, 'Submit round 2')
  await operator.goto(room)
  await expect(operator.getByRole('heading', { name: TALL })).toBeVisible()
  await expect(operator.getByText('Version 2').first()).toBeVisible()
  await operator.getByRole('button', { name: 'Compare versions' }).click()
  await expect(operator.getByRole('img', { name: `Version 1 of ${TALL}` })).toBeVisible()
  await operator.getByRole('radio', { name: 'Difference' }).click()
  await expect(operator.getByText(/Black is equal in both/)).toBeVisible()
  await expectAccessible(operator)
  await operator.getByRole('button', { name: 'Compare versions' }).click()
  await operator.getByRole('tab', { name: /Comments/ }).click()
  await expect(operator.getByText('Still open from earlier versions')).toBeVisible()
  await operator.getByRole('button', { name: 'Resolve' }).click()
  await expect(operator.getByText('Still open from earlier versions')).toHaveCount(0)
  await operator.keyboard.press('a')
  await expect(operator.getByText('3 of 3 decided')).toBeVisible()
  await operator.getByRole('button', { name: 'Complete review' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: 'Complete review' }).click()
  await expect(operator.getByRole('button', { name: 'Certificate' })).toBeVisible()
  await agency.reload()
  await expect(agency.getByLabel('Choose files')).toHaveCount(0)
  await expect(agency.getByText('Everything is approved')).toBeVisible()
  await expectAccessible(agency)

  // Afterwards the room is for viewing
  await page.goto(room)
  await expect(page.getByText(/files are decided while it is in review/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  expectRefusals(complaints, 422)

  await notifiedByMail(mail, page, 'coordinator@greenroom.test', place)
  await notifiedByMail(mail, operator, 'operator@greenroom.test', place)
  await notifiedByWebhook(hooks, batch.id, secret)
  writeFileSync(testInfo.outputPath('smtp-transcript.txt'), `${mail.wire.join('\n')}\n`)
  const received = hooks.deliveries.map(({ headers, body }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return `POST /hooks\n${lines.join('\n')}\n\n${body}\n`
  })
  writeFileSync(testInfo.outputPath('webhook-transcript.txt'), received.join('\n'))
})

/** Their mails say what the app notified them of: each thing once, in its order, and nothing to other people. */
async function notifiedByMail(mail: MailServer, page: Page, address: string, place: string) {
  const titles = await notifiedInApp(page, place)
  expect(titles.length).toBeGreaterThan(2)
  const mailed = () =>
    mail.mails
      .filter(({ to }) => to === address)
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => titles.includes(line))
  await expect.poll(() => mailed().length, { timeout: 60_000 }).toBe(titles.length)
  expect(mailed().sort()).toEqual([...titles].sort())
  // Files that came at the same time have no order among themselves.
  const others = (list: string[]) => list.filter((title) => !title.endsWith(' arrived'))
  expect(others(mailed())).toEqual(others(titles))
  expect(mail.mails.every(({ html }) => !html.includes('<script'))).toBe(true)
  expect(new Set(mail.mails.map(({ messageId }) => messageId)).size).toBe(mail.mails.length)
}

/** The receiver got every event of the batch once, signed, one after the other. */
async function notifiedByWebhook(hooks: Receiver, batchId: string, secret: string) {
  const ofBatch = () => hooks.deliveries.filter(({ payload }) => payload.data.batch_id === batchId)
  const wanted = [
    'upload_link.created',
    'file.received',
    'file.received',
    'file.received',
    'batch.submitted',
    'pre_qc.completed',
    'comment.added',
    'batch.review_completed',
    'file.received',
    'batch.submitted',
    'pre_qc.completed',
    'comment.resolved',
    'batch.review_completed',
  ]
  await expect.poll(() => ofBatch().length, { timeout: 30_000 }).toBe(wanted.length)
  const got = ofBatch()
  expect(got.map(({ payload }) => payload.type)).toEqual(wanted)
  expect(new Set(got.map(({ payload }) => payload.data.event_id)).size).toBe(wanted.length)
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(wanted.length)
  expect(got.every((delivery) => isGenuine(delivery, secret))).toBe(true)
  const [first] = got
  expect(first && isGenuine({ ...first, body: `${first.body} ` }, secret)).toBe(false)
  const outcomes = got
    .filter(({ payload }) => payload.type === 'batch.review_completed')
    .map(({ payload }) => payload.data.details)
  expect(outcomes).toMatchObject([
    { outcome: 'awaiting_resupply', approved: 2, rejected: 1 },
    { outcome: 'approved', approved: 3, rejected: 0 },
  ])
}
