import type { Browser, Page } from '@playwright/test'
import { type Look, still } from '@/db/seed/artwork'
import { film } from '@/db/seed/media'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, signIn } from './support/workspace'

/** The loop that decides: two rounds between an agency, an operator and a coordinator, each in a browser of their own. */

type Named = { id: string; name: string }

const serial = Date.now().toString(36)
const look = (headline: string): Look => ({
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
    due_on: tomorrow,
  })
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id, label: `Loop ${serial}` })
  return { place: `/projects/${project.id}/batches/${batch.id}`, address: new URL(link.url).pathname, batch }
}

async function deliver(agency: Page, files: ReturnType<typeof upload>[], accepted: string) {
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  // A page that is not awake yet does not notice that files were chosen.
  await expect(async () => {
    await agency.getByLabel('Choose files').first().setInputFiles(files)
    await expect(uploads).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(uploads.getByText(accepted).first()).toBeVisible({ timeout: 60_000 })
}

async function submit(page: Page, place: string, button: string) {
  await page.goto(place)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText('In review').first()).toBeVisible()
}

const anotherPerson = async (browser: Browser) => (await browser.newContext()).newPage()

test('a delivery is reviewed, mended and approved in two rounds', async ({ page, browser, complaints }) => {
  test.setTimeout(300_000)
  await signIn(page, 'coordinator')
  const { place, address, batch } = await prepare(page)
  const room = `${place}/review`

  // The agency delivers: two banners that are right, one that is 2 px too high
  const agency = await anotherPerson(browser)
  await agency.goto(address)
  await deliver(
    agency,
    [
      upload(HERO, await still(look('Spring starts here'), 300, 250, 'png')),
      upload(WIDE, await still(look('Spring'), 728, 90, 'png')),
      upload(TALL, await still(look('Up'), 160, 602, 'png')),
    ],
    '3 accepted',
  )
  await submit(page, place, 'Submit for review')

  // The operator begins the day at what waits for them, and opens the room
  const operator = await anotherPerson(browser)
  await signIn(operator, 'operator', '/work')
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

  // The keyboard tells what it can do, and goes from file to file
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
  const picture = operator.getByRole('main').getByRole('img', { name: TALL })
  await expect(picture).toBeVisible()
  await operator.keyboard.press('c')
  const box = await picture.boundingBox()
  if (!box) throw new Error('The picture is not on screen.')
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
  await operator.getByLabel('What must be mended').fill('Too early')
  await operator.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(operator.getByText('3 of 3 decided')).toBeVisible()
  await operator.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(operator.getByText('2 of 3 decided')).toBeVisible()
  await operator.keyboard.press('r')
  const rejecting = operator.getByRole('dialog')
  await rejecting.getByLabel('What must be mended').fill('It must be 600 px high.')
  await rejecting.getByRole('combobox').click()
  await operator.getByRole('option', { name: 'Wrong dimensions' }).click()
  await expectAccessible(operator)
  await rejecting.getByRole('button', { name: 'Reject' }).click()
  await expect(operator.getByText('3 of 3 decided')).toBeVisible()
  await operator.getByRole('button', { name: 'Complete review' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: 'Complete review' }).click()
  await expect(operator.getByText('Awaiting resupply').first()).toBeVisible()
  await expect(operator.getByText('With the agency').first()).toBeVisible()

  // The agency is asked for exactly that file, with the reason, the mark and the recipe; the others are locked
  await agency.reload()
  await expect(agency.getByRole('heading', { name: `New versions for ${batch.name}` })).toBeVisible()
  await expect(agency.getByText(TALL).first()).toBeVisible()
  await expect(agency.getByText(HERO)).toHaveCount(0)
  await expect(agency.getByText('Wrong dimensions')).toBeVisible()
  await expect(agency.getByText('It must be 600 px high.')).toBeVisible()
  await expect(agency.getByText(hostile)).toBeVisible()
  await expect(agency.getByRole('heading', { name: 'How to mend it' })).toBeVisible()
  const marked = agency.getByRole('img', { name: new RegExp(`Version 1 of ${TALL}`) })
  await expect(marked).toBeVisible()
  expect(await marked.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(agency)
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([upload(HERO, await still(look('Something else'), 300, 250, 'png'))])
  await expect(agency.getByRole('region', { name: 'Uploads' }).getByText('Not sent')).toBeVisible()
  await deliver(agency, [upload(TALL, await still(look('Up and up'), 160, 600, 'png'))], '1 accepted')

  // Second round: the new version is held against the old one, what was said is resolved, all is approved
  await submit(page, place, 'Submit again')
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
  await expect(operator.getByText('Approved').first()).toBeVisible()
  await agency.reload()
  await expect(agency.getByLabel('Choose files')).toHaveCount(0)

  // Afterwards the room is for looking
  await page.goto(room)
  await expect(page.getByText(/files are decided while it is in review/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  expectRefusals(complaints, 422)
})

test('every kind of file is looked at in its own way', async ({ page, complaints }) => {
  test.setTimeout(180_000)
  await signIn(page, 'coordinator')
  const { projects } = await ask<{ projects: Named[] }>(page, '/api/projects')
  const roomOf = async (project: RegExp, name: string) => {
    const id = projects.find((one) => project.test(one.name))?.id
    const { batches } = await ask<{ batches: Named[] }>(page, `/api/projects/${id}/batches`)
    return `/projects/${id}/batches/${batches.find((one) => one.name === name)?.id}/review`
  }

  // A PDF with its boxes
  await page.goto(await roomOf(/Luma Skin/, 'Magazine page'))
  await expect(page.getByText(/^Page 1 of/)).toBeVisible()
  await expect(page.getByRole('img', { name: 'trim box' })).toBeVisible()
  await expectAccessible(page)

  // An HTML5 ad runs, in a frame that has no way to us
  await page.goto(await roomOf(/Voltaire/, 'HTML5 banners'))
  const frame = page.locator('iframe')
  await expect(frame).toBeVisible()
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  const ad = page.frameLocator('iframe')
  await expect(ad.locator('body')).not.toBeEmpty()
  const inside = page.frames().find((one) => one.url().includes('/api/banners/'))
  if (!inside) throw new Error('The ad did not load.')
  expect(await inside.evaluate(() => window.origin)).toBe('null')
  const reach = await inside.evaluate(async () => {
    const outcome = async (work: () => unknown) => {
      try {
        return String(await work())
      } catch {
        return 'refused'
      }
    }
    return {
      cookies: await outcome(() => document.cookie),
      parent: await outcome(() => window.parent.document.title),
      api: await outcome(async () => (await fetch('/api/projects')).status),
    }
  })
  expect(reach).toEqual({ cookies: 'refused', parent: 'refused', api: 'refused' })
  // That the policy stopped it, the browser says on its console.
  expect(complaints.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThan(0)
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('Content Security Policy')))

  // A film has the keys of a cutting room; a sound its waveform
  await page.goto(await roomOf(/Voltaire/, 'Cut-downs'))
  await expect(page.getByLabel('Position')).toBeVisible()
  await page.getByRole('button', { name: 'Safe areas' }).click()
  await expect(page.getByRole('img', { name: 'Title safe area' })).toBeVisible()
  await expectAccessible(page)

  // A new version of the film is held against the one that was rejected, both at the same moment
  const room = new URL(page.url()).pathname
  const files = `/api${room.replace(/review$/, 'files')}`
  const sent = await page.request.post(files, {
    multipart: {
      file: {
        name: 'MOKI_LONGWAY_Ride_1x1_4s_v1.mp4',
        mimeType: 'video/mp4',
        buffer: await film({ ...look('Ride on'), shape: 'rings' }, 360, 360, 4, 25),
      },
    },
    headers: { 'Sec-Fetch-Site': 'same-origin', Origin: new URL(page.url()).origin },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  await page.goto(`${room}?file=${(await sent.json()).id}`)
  await page.getByRole('button', { name: 'Compare versions' }).click()
  await page.getByRole('radio', { name: 'Side by side' }).click()
  // As long as the new version, once its beginning is read.
  await expect(page.getByLabel('Position in both versions')).toHaveAttribute('max', /^[34]/)
  await page.getByLabel('Position in both versions').fill('1.2')
  const moments = () =>
    page.locator('video').evaluateAll((films) => films.map((one) => (one as HTMLVideoElement).currentTime))
  await expect.poll(moments).toEqual([1.2, 1.2])
  await page.getByRole('button', { name: 'One frame forward' }).click()
  await expect.poll(moments).toEqual([expect.closeTo(1.24, 2), expect.closeTo(1.24, 2)])
  await expectAccessible(page)
})
