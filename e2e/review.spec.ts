import type { Design } from '@/fixtures/artwork'
import { clip } from '@/fixtures/deliveries'
import { expect, expectAccessible, test } from './support/test'
import { ask, sendFile, signIn } from './support/workspace'

/** The review room shows every kind of file in the way it is validated. */

type Named = { id: string; name: string }

const design = (headline: string): Design => ({
  brand: `Story ${Date.now().toString(36)}`,
  headline,
  colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
  shape: 'peaks',
})

test('every kind of file is viewed in its own way', async ({ page, complaints }) => {
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

  // A video has the keys of a cutting room; an audio file its waveform
  await page.goto(await roomOf(/Voltaire/, 'Cut-downs'))
  // Its length is known although the video came with the page.
  await expect(page.getByLabel('Position')).toHaveAttribute('max', /^[2-4]/)
  await page.getByRole('button', { name: 'Safe areas' }).click()
  await expect(page.getByRole('img', { name: 'Title safe area' })).toBeVisible()
  await expectAccessible(page)

  // A new version of the video is held against the one that was rejected, both at the same time
  const room = new URL(page.url()).pathname
  const files = `/api${room.replace(/review$/, 'files')}`
  const sent = await sendFile(page, files, {
    name: 'MOKI_LONGWAY_Ride_1x1_4s_v1.mp4',
    mimeType: 'video/mp4',
    buffer: await clip({ ...design('Ride on'), shape: 'rings' }, 360, 360, 4, 25),
  })
  await page.goto(`${room}?file=${sent.id}`)
  await page.getByRole('button', { name: 'Compare versions' }).click()
  await page.getByRole('radio', { name: 'Side by side' }).click()
  // As long as the new version, once its beginning is read.
  await expect(page.getByLabel('Position in all of them')).toHaveAttribute('max', /^[34]/)
  await page.getByLabel('Position in all of them').fill('1.2')
  const markers = () =>
    page.locator('video').evaluateAll((videos) => videos.map((one) => (one as HTMLVideoElement).currentTime))
  await expect.poll(markers).toEqual([1.2, 1.2])
  await page.getByRole('button', { name: 'One frame forward' }).click()
  await expect.poll(markers).toEqual([expect.closeTo(1.24, 2), expect.closeTo(1.24, 2)])
  await expectAccessible(page)
})

test('what does not arrive says so, and nothing looks decided that was not', async ({ page, complaints }) => {
  await signIn(page, 'operator')
  const { projects } = await ask<{ projects: Named[] }>(page, '/api/projects')
  const project = projects.find(({ name }) => /Luma Skin/.test(name))?.id
  const { batches } = await ask<{ batches: Named[] }>(page, `/api/projects/${project}/batches`)
  const batch = batches.find(({ name }) => name === 'Magazine page')?.id
  const images = /\/api\/.*\/(preview|thumbnail)/

  await page.route(images, (route) => route.abort())
  await page.goto(`/projects/${project}/batches/${batch}/review`)
  await expect(page.getByText('The image could not be loaded.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(images)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The image could not be loaded.')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('img', { name: /HALDEN_GLOW/ })).toBeVisible()

  // Without a network a decision is not put off in silence: it is said that it was not made.
  const undecided = page.getByText(/^0 of \d+ decided$/)
  await expect(undecided).toBeVisible()
  await page.context().setOffline(true)
  await page.keyboard.press('a')
  await expect(page.getByText(/could not be reached/).first()).toBeVisible()
  await expect(undecided).toBeVisible()
  await page.context().setOffline(false)
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((text) => !/ERR_(FAILED|INTERNET_DISCONNECTED)/.test(text)),
  )

  // While a decision is on its way, closing the page asks first.
  let arrive = () => {}
  const mayArrive = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const isDecision = (url: URL) => /\/files\/[^/]+\/review$/.test(url.pathname)
  await page.route(isDecision, async (route) => {
    await mayArrive
    await route.continue()
  })
  const sent = page.waitForRequest((request) => isDecision(new URL(request.url())))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const fileId = (await sent).url().split('/').at(-2)
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  const arrived = page.waitForResponse((response) => isDecision(new URL(response.url())))
  arrive()
  expect((await arrived).status()).toBe(200)
  await expect(page.getByText(/^1 of \d+ decided$/)).toBeVisible()
  // As other stories find it.
  await ask(page, `/api/projects/${project}/batches/${batch}/review/undo`, { file_ids: [fileId] })
})
