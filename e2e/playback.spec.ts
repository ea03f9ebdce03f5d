import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { writeMedia } from '@/fixtures/video'
import { expect, expectAccessible, test } from './support/test'
import { ask, choose, demoOperator, type Named, newProject, sendFile, signIn } from './support/workspace'

/** What agencies send as masters is played in the review room by a copy of it. */

const FRAMES = 50

/** A master, ProRes or (.mp4) HEVC of 10 bits, whose frames grow lighter, fifty times: which frame is seen of these can be read from any of them. */
async function delivered(
  page: Page,
  name = 'master.mov',
  {
    frames = FRAMES,
    size = {},
    timecode = name.endsWith('.mxf') ? '00:00:00:00' : undefined,
    tracks = [[300, 300]],
  }: {
    frames?: number
    size?: { width?: number; height?: number }
    timecode?: string
    /** Of each track of audio, the tone of each channel, Hz. */
    tracks?: readonly (readonly number[])[]
  } = {},
) {
  await signIn(page, 'admin')
  const project = await newProject(page, `Masters ${Date.now()}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Masters',
    operator_id: await demoOperator(page),
  })
  const shade = Date.now() % 7
  const isHevc = name.endsWith('.mp4')
  const master = path.join(mkdtempSync(path.join(tmpdir(), 'greenroom-prores-')), name)
  writeMedia(master, {
    video: {
      codec: isHevc ? 'hevc' : 'prores',
      pixels: isHevc ? 'yuv420p10' : 'yuv422p10',
      frames,
      ...size,
      // An MXF file is not written without one.
      ...(timecode && { metadata: { timecode } }),
      paint: (frame, x, y) => 30 + 4 * (frame % FRAMES) + (x < 8 && y < 8 ? shade : 0),
    },
    audio: tracks.map((tones) => ({
      codec: isHevc ? 'aac' : 'pcm',
      seconds: frames / 25,
      channels: tones.length === 1 ? 1 : 2,
      sample: (time, channel) => 0.1 * Math.sin(2 * Math.PI * ((tones[channel] ?? 0) + shade) * time),
    })),
  })
  const at = `/projects/${project.id}/batches/${batch.id}`
  const buffer = readFileSync(master)
  const file = await sendFile<Named>(page, `/api${at}/files`, {
    name,
    mimeType: isHevc ? 'video/mp4' : name.endsWith('.mxf') ? 'application/mxf' : 'video/quicktime',
    buffer,
  })
  return { at, batch, file }
}

/** Which frame is seen, by the luma in its middle. */
const frameOf = (video: Locator) =>
  video.evaluate((element) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const draw = canvas.getContext('2d')
    const one = element as HTMLVideoElement
    draw?.drawImage(one, one.videoWidth / 2, one.videoHeight / 2, 4, 4, 0, 0, 1, 1)
    const [red = 0] = draw?.getImageData(0, 0, 1, 1).data ?? []
    return Math.round((16 + (red * 219) / 255 - 30) / 4)
  })

for (const [what, name] of [
  ['ProRes', 'master.mov'],
  ['ProRes', 'master.mxf'],
  ['HEVC of 10 bits', 'master.mp4'],
] as const) {
  test(`a master, ${what} in ${name}, is played by a copy, frame by frame, in the room and by a review link`, async ({
    page,
  }) => {
    const { at, batch } = await delivered(page, name)
    await page.goto(`${at}/review`)
    const room = page.getByRole('region', { name: `Player of ${name}` })
    const video = room.locator('video')
    await expect(video).toBeVisible({ timeout: 300_000 })
    await expect(page.getByText('Playback copy', { exact: true })).toBeVisible()
    await expect(page.getByText('H.264, 320 × 180, 25 frames a second')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Download the original' })).toHaveAttribute('href', /\/download$/)
    await expectAccessible(page)

    // It plays
    const time = () => video.evaluate((element) => (element as HTMLVideoElement).currentTime)
    await room.focus()
    await page.keyboard.press('Space')
    await expect.poll(time).toBeGreaterThan(0.2)
    await page.keyboard.press('k')

    // What is sought is the frame of that time in the original
    for (const frame of [30, 40, 10]) {
      await video.evaluate(
        (element, seconds) => {
          ;(element as HTMLVideoElement).currentTime = seconds
        },
        (frame + 0.5) / 25,
      )
      await expect.poll(() => frameOf(video)).toBe(frame)
    }
    await expect(page.getByText('00:00:00:10').first()).toBeVisible()
    await page.keyboard.press('.')
    await expect.poll(() => frameOf(video)).toBe(11)
    await expect(page.getByRole('button', { name: 'Comment at this time' })).toBeVisible()

    // So does the one who has no account
    const link = await ask<{ url: string }>(page, '/api/review-links', {
      batch_id: batch.id,
      name: 'Clara',
      party: 'client',
    })
    // Out of the room first: it would ask for what is new without a session.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(new URL(link.url).pathname)
    const shown = page.getByLabel(`Video ${name}`)
    await expect(shown).toBeVisible()
    await expect(page.getByText('Playback copy', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Download the original' })).toHaveCount(0)
    await expect
      .poll(() => shown.evaluate((element) => (element as HTMLVideoElement).readyState))
      .toBeGreaterThanOrEqual(1)
    expect(await shown.evaluate((element) => (element as HTMLVideoElement).duration)).toBeCloseTo(FRAMES / 25, 0)
    await expectAccessible(page)

    // who comments on a stretch of it; that the words are begun after its end was chosen changes nothing
    const standsAt = async (seconds: number) => {
      await shown.evaluate((element, at) => {
        ;(element as HTMLVideoElement).currentTime = at
      }, seconds)
      await expect
        .poll(() => shown.evaluate((element) => (element as HTMLVideoElement).currentTime))
        .toBeCloseTo(seconds, 3)
    }
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await standsAt(0.4)
    await comment.focus()
    await standsAt(1.2)
    await page.getByRole('button', { name: 'Until here' }).click()
    await comment.fill('The logo is too dark')
    await page.getByRole('button', { name: 'Send comment' }).click()
    // The comment itself, not the file it is written below
    const sent = page.getByRole('listitem').filter({ hasText: 'The logo is too dark', hasNot: comment })
    await expect(sent).toContainText('0:00.4 to 0:01.2')
  })
}

test('a long master plays while its copy is made, and the copy takes over at the same frame', async ({ page }) => {
  const { at } = await delivered(page, 'long.mov', { frames: 6000, size: { width: 160, height: 90 } })
  await page.goto(`${at}/review`)
  const room = page.getByRole('region', { name: 'Player of long.mov' })
  const video = room.locator('video')
  await expect(page.getByText(/^Still being made, \d+ %: what is there can be played$/)).toBeVisible({
    timeout: 300_000,
  })
  await expect(page.getByRole('progressbar', { name: 'Playback copy made' })).toBeVisible()

  const time = () => video.evaluate((element) => (element as HTMLVideoElement).currentTime)
  await room.focus()
  await page.keyboard.press('Space')
  await expect.poll(time).toBeGreaterThan(0.2)
  await page.keyboard.press('k')
  for (const frame of [20, 7]) {
    await video.evaluate(
      (element, seconds) => {
        ;(element as HTMLVideoElement).currentTime = seconds
      },
      (frame + 0.5) / 25,
    )
    await expect.poll(() => frameOf(video)).toBe(frame)
  }
  await expect(page.getByText('00:00:00:07').first()).toBeVisible()
  // All that is not there yet has its place, and cannot be gone to.
  expect(await video.evaluate((element) => (element as HTMLVideoElement).duration)).toBeCloseTo(240, 0)
  expect(await video.evaluate((element) => (element as HTMLVideoElement).src)).toMatch(/^blob:/)
  await expectAccessible(page)

  await expect(page.getByText('H.264, 160 × 90, 25 frames a second')).toBeVisible({ timeout: 180_000 })
  await expect(page.getByRole('progressbar', { name: 'Playback copy made' })).toHaveCount(0)
  await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).src)).toMatch(/\/playback\/media/)
  await expect.poll(time).toBeCloseTo(7.5 / 25, 3)
  await expect.poll(() => frameOf(video)).toBe(7)
  await expect(page.getByText('00:00:00:07').first()).toBeVisible()
  await page.keyboard.press('.')
  await expect.poll(() => frameOf(video)).toBe(8)
})

test('channels of a master are heard one by one, at its own timecode', async ({ page }) => {
  // What is mixed by the page is listened to as well.
  await page.addInitScript(() => {
    type Connect = (this: AudioNode, to: AudioNode, output?: number, input?: number) => AudioNode
    const connect = AudioNode.prototype.connect as Connect
    const listeners = new WeakMap<BaseAudioContext, AnalyserNode>()
    const connectAndListen: Connect = function (to, output = 0, input = 0) {
      if (to === this.context.destination) {
        const listener = listeners.get(this.context) ?? new AnalyserNode(this.context, { fftSize: 4096 })
        listeners.set(this.context, listener)
        Object.assign(window, { listener })
        connect.call(this, listener, output)
      }
      return connect.call(this, to, output, input)
    }
    AudioNode.prototype.connect = connectAndListen as typeof AudioNode.prototype.connect
  })
  const name = 'channels.mov'
  const { at } = await delivered(page, name, {
    frames: 250,
    timecode: '10:00:00:00',
    // Two channels, then two tracks of one: each has a tone of its own.
    tracks: [[400, 600], [900], [1500]],
  })
  let isReadByScript = false
  page.on('request', (request) => {
    isReadByScript ||= request.resourceType() === 'fetch' && request.url().includes('/playback/media')
  })
  await page.goto(`${at}/review`)
  const room = page.getByRole('region', { name: `Player of ${name}` })
  const video = room.locator('video')
  await expect(page.getByText('H.264, 320 × 180, 25 frames a second')).toBeVisible({ timeout: 300_000 })
  await expect(page.getByText('10:00:00:00').first()).toBeVisible()
  await room.focus()
  await page.keyboard.press('.')
  await expect(page.getByText('10:00:00:01').first()).toBeVisible()

  // A comment on a stretch of time: its beginning, then its end.
  await page.keyboard.press('[')
  await video.evaluate((element) => {
    ;(element as HTMLVideoElement).currentTime = 2.02
  })
  await expect(page.getByText('10:00:02:00').first()).toBeVisible()
  await room.focus()
  await page.keyboard.press(']')
  await page.getByRole('textbox', { name: 'Comment' }).fill('The music is too loud here')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('button', { name: '10:00:00:01 to 10:00:02:00', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Comment 1 at 10:00:00:01 to 10:00:02:00: The music/ })).toBeVisible()

  // The waveform is there without the audio being fetched for it.
  await page.getByRole('button', { name: 'Audio and loudness' }).click()
  await expect(page.getByRole('img', { name: /^Waveform and loudness of channels\.mov/ })).toBeVisible()
  expect(isReadByScript).toBe(false)

  const audio = page.locator('audio[data-channels]')
  const isMuted = () => video.evaluate((element) => (element as HTMLVideoElement).muted)
  const hear = async (channels: string | RegExp) => {
    await page.getByRole('combobox', { name: 'Audio channels' }).click()
    await choose(page, channels)
  }
  /** The strongest frequency, Hz, to the next multiple of 100. */
  const heard = () =>
    page.evaluate(() => {
      const { listener } = window as unknown as { listener: AnalyserNode }
      const levels = new Float32Array(listener.frequencyBinCount)
      listener.getFloatFrequencyData(levels)
      const bin = levels.indexOf(Math.max(...levels))
      return Math.round((bin * listener.context.sampleRate) / listener.fftSize / 100) * 100
    })
  expect(await isMuted()).toBe(false)
  await hear(/^Track 3$/)
  expect(await isMuted()).toBe(true)
  await expectAccessible(page)
  await room.focus()
  await page.keyboard.press('Space')
  await expect.poll(heard).toBe(1500)
  const apart = () =>
    page.evaluate(() => {
      const [film, own] = ['video', 'audio'].map((tag) => document.querySelector(tag) as HTMLMediaElement | null)
      return Math.abs((film?.currentTime ?? 0) - (own?.currentTime ?? 99))
    })
  await expect.poll(apart).toBeLessThan(0.1)
  await hear(/^Track 2$/)
  await expect.poll(heard).toBe(900)
  await hear(/^Track 1: R$/)
  await expect.poll(heard).toBe(600)

  // It goes where the video goes, and stops with it.
  await room.focus()
  await page.keyboard.press('k')
  await video.evaluate((element) => {
    ;(element as HTMLVideoElement).currentTime = 4
  })
  await expect.poll(apart).toBeLessThan(0.1)
  await expect.poll(() => audio.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(true)
  await hear('All channels')
  await expect(audio).toHaveCount(0)
  expect(await isMuted()).toBe(false)
})

test('a video without a copy has no clock: it is being made, or it says why there is none', async ({ page }) => {
  const { at } = await delivered(page)
  const playback = { is_needed: true, progress: 40, failure: null, url: null, copy: null, pieces: null, audio: null }
  let shown: object = { ...playback, status: 'running' }
  await page.route(/\/playback$/, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: shown }) : route.fulfill({ json: shown, status: 200 }),
  )
  await page.goto(`${at}/review`)
  await expect(page.getByText('Making a playback copy… 40 %')).toBeVisible()
  await expect(page.getByLabel('Position')).toHaveCount(0)
  await expectAccessible(page)

  shown = { ...playback, status: 'failed', failure: 'The video cannot be decoded at 1.20 s.' }
  await expect(page.getByText('This browser cannot show this video')).toBeVisible()
  await expect(
    page.getByText('It is coded as ProRes. There is no playback copy of it: The video cannot be decoded at 1.20 s.'),
  ).toBeVisible()
  await expect(page.getByLabel('Position')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Comment at this time' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Download the original' })).toBeVisible()
  await expectAccessible(page)

  await page.unroute(/\/playback$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Playback copy', { exact: true })).toBeVisible({ timeout: 300_000 })
})
