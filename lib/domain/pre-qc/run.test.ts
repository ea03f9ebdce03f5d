import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { type PreQcSettings, preQcProfiles } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { wav } from '@/fixtures/audio'
import { banner } from '@/fixtures/deliveries'
import { makeBatch, makeFile, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { drawLettering } from '@/fixtures/lettering'
import { writeMedia } from '@/fixtures/video'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { type BlobKey, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import type { Measured } from './port'
import { runPreQc } from './run'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pre-qc-run-'))
})
afterAll(async () => {
  closeInspector()
  closeMeasurer()
  await rm(folder, { recursive: true })
})

const context = () => newContext({ actor: { type: 'system', name: 'A test' } })

/** A file as it lies in the store, with its result queued; what its checks find once they have run. */
async function checked(
  bytes: Buffer,
  given: Parameters<typeof makeFile>[1],
  settings?: PreQcSettings,
  batch: Parameters<typeof makeBatch>[0] = {},
) {
  const file = await makeFile(await makeBatch(batch), { size: bytes.length, ...given })
  await storeBytes(context().ports.blobs, bytes, file.objectKey as BlobKey)
  const { id, profileId } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
  if (settings) await database().db.update(preQcProfiles).set({ settings }).where(eq(preQcProfiles.id, profileId))
  await runPreQc(context(), { result_id: id })
  const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, id))
  if (!result) throw new Error('The result is gone.')
  const line = (check: string) => (result.checks as CheckLine[]).find(({ check_id }) => check_id === check)
  return { file, result, line }
}

const evidenceRoute = () => import('@/app/api/pre-qc/results/[result_id]/evidence/[number]/route')
const tokenOf = async (role: 'operator' | 'administrator') => (await makeToken(await makeUser({ role }))).token

async function seen(resultId: string, number: string, token: string) {
  const { GET } = await evidenceRoute()
  const url = `/api/pre-qc/results/${resultId}/evidence/${number}`
  return send(GET, 'GET', url, { token, params: { result_id: resultId, number } })
}

describe('videos of one project', () => {
  it('are distinguished, and found again trimmed, smaller and coded anew', async () => {
    const { projectId } = await makeBatch()
    /** A shot a second, each with another ground and something that moves across it. */
    const make = async (name: string, seed: number, { from = 0, width = 320, height = 180 } = {}) => {
      const video = path.join(folder, name)
      const paint = (frame: number, x: number, y: number) => {
        const [time, across, down] = [from + frame / 25, x / width, y / height]
        const shot = Math.floor(time) * 5 + seed
        if (Math.abs(across - (time % 1)) < 0.08 && down > 0.4) return 220
        return (
          110 + 60 * Math.sin(across * (6 + ((shot * 7) % 11)) + shot) * Math.cos(down * (5 + ((shot * 3) % 7)) - shot)
        )
      }
      writeMedia(video, { video: { width, height, frames: (6 - from) * 25, paint } })
      const given = { name, kind: 'video', mediaType: 'video/mp4' } as const
      return (await checked(await readFile(video), given, undefined, { projectId })).line('near_duplicate_check')
    }
    expect(await make('spot.mp4', 1)).toMatchObject({ status: 'pass' })
    expect(await make('another.mp4', 3)).toMatchObject({ status: 'pass' })
    const found = await make('spot-short.mp4', 1, { from: 2, width: 240, height: 136 })
    expect(found).toMatchObject({ status: 'warning', details: expect.stringContaining('looks like “spot.mp4”') })
  })
})

describe('what the checks found in a video', () => {
  it('is shown by the frame at the fault, to those who may see the result', async () => {
    const video = path.join(folder, 'video.mp4')
    const paint = (frame: number, x: number, y: number) =>
      frame >= 25 && frame < 60 ? 16 : 60 + ((x * 3 + frame * 7 + y) % 97)
    writeMedia(video, { video: { frames: 100, paint } })
    const { result, line } = await checked(await readFile(video), {
      name: 'video.mp4',
      kind: 'video',
      mediaType: 'video/mp4',
    })
    const [evidence] = line('black_frames_check')?.evidence ?? []
    expect(evidence).toMatchObject({ kind: 'image' })
    const number = evidence?.url.split('/').at(-1) ?? ''
    const response = await seen(result.id, number, await tokenOf('administrator'))
    expect(response.status).toBe(200)
    const { channels } = await sharp(Buffer.from(await response.arrayBuffer())).stats()
    expect(channels.every(({ max }) => max < 40)).toBe(true)
    expect((await seen(result.id, number, await tokenOf('operator'))).status).toBe(404)
    for (const other of ['99', '0', 'x', '1e0']) {
      expect((await seen(result.id, other, await tokenOf('administrator'))).status).toBe(404)
    }
  })
})

describe('a check that the machine has stopped', () => {
  const stopped = { failed: 'the file took more than 90 s of processor time to decode', again: true } as const
  /** A context in which measuring gives this, and files need not lie anywhere. */
  const measuring = (measured: Measured) => {
    const ctx = context()
    const blobs = Object.create(ctx.ports.blobs, {
      localPath: { value: (_: string, use: (path: string) => unknown) => use('/') },
    })
    return { ...ctx, ports: { ...ctx.ports, blobs, preQc: { ...ctx.ports.preQc, measure: async () => measured } } }
  }
  const busy = () => measuring({ media: stopped, integrity: stopped, measures: { pixels: stopped } })
  const failing = (error: Error) => {
    const ctx = busy()
    ctx.ports.preQc.measure = () => Promise.reject(error)
    return ctx
  }
  const ended = () => Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  const jobOf = async (id: string) =>
    (
      await testSql`select payload, run_at, extract(epoch from run_at - now()) as wait from graphile_worker._private_jobs j
        where key = ${`check_file:${id}`} and run_at > now()`
    )[0]

  it('is tried again later, twice, before it says error', async () => {
    const file = await makeFile(await makeBatch(), { name: 'banner.png', kind: 'image', mediaType: 'image/png' })
    const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    const resultNow = async () => (await database().db.select().from(preQcResults).where(eq(preQcResults.id, id)))[0]
    for (const tries of [0, 1]) {
      await runPreQc(busy(), { result_id: id, tries })
      expect(await resultNow()).toMatchObject({ status: 'queued', summary: null, startedAt: null })
      expect(await jobOf(id)).toMatchObject({ payload: { result_id: id, tries: tries + 1 } })
    }
    await runPreQc(busy(), { result_id: id, tries: 2 })
    const last = await resultNow()
    expect(last?.status).toBe('completed')
    expect(((last?.checks ?? []) as CheckLine[]).some(({ status }) => status === 'error')).toBe(true)
  })

  it('is tried again when the database went away meanwhile', async () => {
    const file = await makeFile(await makeBatch(), { name: 'banner.png', kind: 'image', mediaType: 'image/png' })
    const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    await runPreQc(failing(ended()), { result_id: id })
    const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, id))
    expect(result).toMatchObject({ status: 'queued', failure: null })
    expect(await jobOf(id)).toMatchObject({ payload: { result_id: id, tries: 1 } })
  })

  it.each([
    ['the database', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['the storage', new StorageUnavailable('failed', 'The bucket does not respond.')],
  ])('waits longer each time while %s is away, and says failed after more than an hour', async (_, error) => {
    const file = await makeFile(await makeBatch(), { name: 'banner.png', kind: 'image', mediaType: 'image/png' })
    const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    const statusNow = async () =>
      (await database().db.select().from(preQcResults).where(eq(preQcResults.id, id)))[0]?.status
    const waits: number[] = []
    for (const tries of [0, 1, 2, 3, 4, 5]) {
      await runPreQc(failing(error), { result_id: id, tries })
      expect(await statusNow()).toBe('queued')
      const job = await jobOf(id)
      expect(job).toMatchObject({ payload: { result_id: id, tries: tries + 1 } })
      waits.push(Number(job?.wait))
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(3600)
    await runPreQc(failing(error), { result_id: id, tries: 6 })
    expect(await statusNow()).toBe('failed')
  })

  it('is done by another try when the machine is quiet', async () => {
    const file = await makeFile(await makeBatch(), { name: 'banner.png', kind: 'image', mediaType: 'image/png' })
    const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    await runPreQc(busy(), { result_id: id })
    const measured = { media: { failed: 'nothing' }, integrity: { violations: [], complete: true }, measures: {} }
    await runPreQc(measuring(measured), { result_id: id, tries: 1 })
    const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, id))
    expect(result?.status).toBe('completed')
  })
})

describe('the copy a batch requires', () => {
  const requiredCopy = ['Summer sale', 'Terms and conditions apply']
  const banner = (legal: string) =>
    drawLettering(600, 300, [
      { text: 'Summer Sale', x: 30, y: 30, size: 48, face: 'bold' },
      { text: legal, x: 30, y: 250, size: 18 },
    ])
  const image = { name: 'banner.png', kind: 'image', mediaType: 'image/png' } as const

  it('is found where it stands, and what stands in its place is shown marked', async () => {
    const good = await checked(await banner('Terms and conditions apply.'), image, undefined, { requiredCopy })
    expect(good.line('required_text_check')).toMatchObject({ status: 'pass', measured: 2, expected: 2 })
    const bad = await checked(await banner('Terms and condition apply.'), image, undefined, { requiredCopy })
    const line = bad.line('required_text_check')
    expect(line).toMatchObject({ status: 'fail', measured: 1, evidence: [{ kind: 'image' }] })
    expect(line?.details).toContain('expected “Terms and conditions apply”, read “Terms and condition apply.”')
    expect(bad.result.summary).toBe('fail')
  })

  it('is not read where the check is switched off or nothing is required', async () => {
    const off = { enabled: true, checks: { required_text_check: { enabled: false } } }
    const { line } = await checked(await banner('Nothing'), image, off, { requiredCopy })
    expect(line('required_text_check')).toBeUndefined()
    const { line: without } = await checked(await banner('Nothing'), image)
    expect(without('required_text_check')).toMatchObject({ status: 'skipped', details: 'The batch requires no copy.' })
  })
})

describe('what the checks found in audio', () => {
  it('is shown by the curve of its loudness', async () => {
    const loud = wav(6, (time) => 0.98 * Math.sin(2 * Math.PI * 997 * time))
    const { line } = await checked(loud, { name: 'loud.wav', kind: 'audio', mediaType: 'audio/wav' })
    expect(line('loudness_check')).toMatchObject({ evidence: [{ kind: 'chart' }] })
  })
})

describe('what an HTML5 ad looked like while it ran', () => {
  it('is stored as a contact sheet with its result', async () => {
    const { file, result, line } = await checked(
      await banner(
        { brand: 'Luma Skin', headline: 'Light, bottled', colours: ['#f6e7df', '#d98f77', '#5a2a1e'], shape: 'bottle' },
        300,
        250,
      ),
      {
        name: 'ad_300x250.zip',
        kind: 'archive',
        mediaType: 'application/zip',
      },
    )
    expect(line('ad_behaviour_check')?.status).toBe('pass')
    expect(line('click_tag_check')).toMatchObject({ status: 'pass', confidence: 1 })
    const [evidence] = line('ad_animation_check')?.evidence ?? []
    expect(evidence).toMatchObject({ kind: 'image' })
    const response = await seen(result.id, evidence?.url.split('/').at(-1) ?? '', await tokenOf('administrator'))
    expect(response.status).toBe(200)
    const strip = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect(strip.width).toBeGreaterThanOrEqual(300)
    const [stored] = await database()
      .db.select()
      .from(preQcMeasurements)
      .where(eq(preQcMeasurements.resultId, result.id))
    expect(JSON.stringify(stored)).not.toContain('contactSheet')
    expect(JSON.stringify(stored)).not.toContain('still')
    const [shown] = await database().db.select().from(files).where(eq(files.id, file.id))
    expect(shown?.previews).toEqual({ thumbnail: true, preview: true })
    const still = await context().ports.blobs.localPath(`derived/${file.id}/preview.webp`, (drawn) => readFile(drawn))
    expect(await sharp(still).metadata()).toMatchObject({ width: 300, height: 250, format: 'webp' })
  })
})

describe('the quick profile', () => {
  it('describes a video by its key frames, and says of what needs every frame that it was left out', async () => {
    const video = path.join(folder, 'quick.mp4')
    writeMedia(video, { video: { frames: 100, paint: (frame, x) => 60 + ((x + frame) % 97) } })
    const given = { name: 'quick.mp4', kind: 'video', mediaType: 'video/mp4' } as const
    const { result, line } = await checked(await readFile(video), given, { enabled: true, depth: 'quick', checks: {} })
    expect(result.status).toBe('completed')
    expect(line('black_frames_check')).toMatchObject({
      status: 'skipped',
      details: expect.stringContaining('quick profile'),
    })
    expect(line('integrity_check')).toMatchObject({ status: 'pass', measured: 'intact as far as decoded' })
    expect(line('scan_type_check')).toMatchObject({ measured: 'progressive' })
    expect(line('duration_check')?.status).not.toBe('error')
    expect((result.checks as CheckLine[]).filter(({ status }) => status === 'error')).toEqual([])
  })
})
