import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { playbackProxies } from '@/db/schema/playback'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makePlaybackProxy, makeProject, makeUser } from '@/fixtures/factories'
import { writeMedia } from '@/fixtures/video'
import '@/lib/http/testing'
import { removeExpired, removeObjects, sweep } from '@/lib/jobs/sweep'
import { closeStream, eachFrame, frameAt, openStream } from '@/lib/media/decode/video'
import { closeCopier } from '@/lib/media/playback/copier'
import { floatSamples } from '@/lib/media/previews/waveform'
import { newContext } from '@/lib/service'
import { removeUnusedCopies, resumeLost } from '../files/content-copies'
import { type BlobKey, StorageUnavailable } from '../kernel/blob-store'
import { type Context, inTransaction } from '../kernel/operation'
import { removeCopies } from '../repairs/run'
import { as, expectRefusal } from '../testing'
import { PLAYBACK, pairKey, proxyKey } from './find'
import { getPlayback, makePlayback, openPair, openPiece, openPlayback } from './operations'
import { CopyStopped, type PlaybackCopier } from './port'
import { queuePlayback } from './queue'
import { makePlaybackCopy } from './run'
import type { Playback } from './schema'

const folder = mkdtempSync(path.join(tmpdir(), 'playback-'))
afterAll(() => {
  closeCopier()
  rmSync(folder, { recursive: true })
})

const system = (given: Partial<Context> = {}) => ({
  ...newContext({ actor: { type: 'system', name: 'A test' } }),
  ...given,
})
const PRORES = { kind: 'video', codec: 'prores', pixelFormat: 'yuv422p10le', audio: [{ codec: 'pcm_s16le' }] }

function write(name: string, tracks: Parameters<typeof writeMedia>[1]): Buffer {
  writeMedia(path.join(folder, name), tracks)
  return readFileSync(path.join(folder, name))
}

let shade = 0
const prores = () => {
  shade += 1
  return write(`master-${shade}.mov`, {
    video: {
      codec: 'prores',
      pixels: 'yuv422p10',
      frames: 50,
      paint: (frame, x, y) => 60 + ((x * 3 + frame * 7 + y + shade) % 97),
    },
    audio: [{ codec: 'pcm', seconds: 2 }],
  })
}

/** A stored file in a batch that is reviewed, with people around it. */
async function delivered(bytes: Buffer, given: Partial<typeof files.$inferInsert> = {}) {
  const viewer = await makeUser({ role: 'viewer' })
  const operator = await makeUser({ role: 'operator' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [viewer, operator, coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1 })
  const file = await makeFile(batch, {
    name: 'master.mov',
    kind: 'video',
    mediaType: 'video/quicktime',
    media: PRORES,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...given,
  })
  const { blobs } = system().ports
  const staged = await blobs.stage()
  const writable = await staged.writable()
  await new Promise<void>((resolve, reject) => writable.on('error', reject).end(bytes, resolve))
  await blobs.commit(staged, file.objectKey as BlobKey)
  const params = { project_id: batch.projectId, batch_id: batch.id, file_id: file.id }
  const by = (who: typeof viewer) => newContext({ actor: as(who).actor })
  return { file, batch, params, viewer, operator, coordinator, by }
}

const queue = (fileId: string) => inTransaction(system(), (tx) => queuePlayback(tx, fileId))
const proxyOf = async ({ sha256 }: { sha256: string }) =>
  (await database().db.select().from(playbackProxies).where(eq(playbackProxies.sha256, sha256)))[0]
const jobsOf = async (id: string) => {
  const jobs = await testSql<{ attempts: number }[]>`
    select j.attempts from graphile_worker._private_jobs j where j.payload ->> 'proxy_id' = ${id}`
  return jobs.length
}
const isStored = (id: string) =>
  system()
    .ports.blobs.size(proxyKey(id))
    .then(
      () => true,
      () => false,
    )

/** Keys below this id that a job is to remove. */
async function keysToRemove(owner: string): Promise<string[]> {
  const jobs = await testSql<{ keys: string[] | null }[]>`
    select j.payload -> 'keys' as keys from graphile_worker._private_jobs j where j.payload::text like ${`%${owner}%`}`
  return jobs.flatMap(({ keys }) => keys ?? []).filter((key) => key.includes(owner))
}

async function objectsBelow(owner: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of system().ports.blobs.list({ derivedOf: owner })) keys.push(key)
  return keys
}

/** What names the pieces in their address. */
const placeOf = (playback: Playback | undefined) => ({ pieces_id: playback?.pieces?.url.split('/').at(-1) ?? '' })

const longMaster = () => {
  shade += 1
  return write(`long-${shade}.mov`, {
    video: {
      codec: 'prores',
      pixels: 'yuv422p10',
      frames: 750,
      width: 160,
      height: 90,
      paint: (frame, x, y) => 60 + ((x * 3 + frame * 7 + y + shade) % 97),
    },
    audio: [{ codec: 'pcm', seconds: 30 }],
  })
}

/** The times of the frames of a video, seconds. */
function framesOf(file: string): number[] {
  const opened = openStream(file, 'video/mp4', 'video')
  const { num, den } = opened.stream.timeBase
  const times: number[] = []
  eachFrame(opened, ({ pts }) => {
    times.push((Number(pts) * num) / den)
    return false
  })
  closeStream(opened)
  return times
}

async function make(file: { id: string; sha256: string }) {
  await queue(file.id)
  const proxy = await proxyOf(file)
  if (!proxy) throw new Error('No copy was queued.')
  await makePlaybackCopy(system(), { proxy_id: proxy.id })
  return proxy.id
}

/** All samples of a stereo file of AAC. */
function samplesOf(file: string): number[][] {
  const opened = openStream(file, 'audio/mp4', 'audio')
  const channels: number[][] = [[], []]
  eachFrame(opened, (frame) => {
    for (const [channel, samples] of floatSamples(frame).entries()) channels[channel]?.push(...samples)
    return false
  })
  closeStream(opened)
  return channels
}

/** Which of these frequencies has the most energy in the second half (Goertzel). */
function loudestOf(samples: readonly number[], frequencies: readonly number[]): number | undefined {
  const half = samples.slice(samples.length / 2)
  const energy = (frequency: number) => {
    const turn = (2 * Math.PI * frequency) / 48_000
    let [real, imaginary] = [0, 0]
    for (const [at, sample] of half.entries()) {
      real += sample * Math.cos(turn * at)
      imaginary += sample * Math.sin(turn * at)
    }
    return real * real + imaginary * imaginary
  }
  return [...frequencies].sort((a, b) => energy(b) - energy(a))[0]
}

const countFrames = (file: string, mediaType: string) => {
  const opened = openStream(file, mediaType, 'video')
  let frames = 0
  eachFrame(opened, () => {
    frames += 1
    return false
  })
  closeStream(opened)
  return frames
}

describe('a playback copy', () => {
  it('of ProRes shows the same frames at the same times, and is made once for one content', async () => {
    const bytes = prores()
    const { file, params, viewer, by } = await delivered(bytes)
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({ is_needed: true, status: null, url: null })
    const id = await make(file)
    const shown = await getPlayback.execute(by(viewer), params)
    expect(shown).toMatchObject({
      is_needed: true,
      status: 'ready',
      progress: 100,
      failure: null,
      url: expect.stringMatching(/\/playback\/media\?v=[0-9a-f]{16}$/),
      copy: { codec: 'h264', width: 320, height: 180, frame_rate: 25, has_audio: true, dynamic_range: 'sdr' },
    })
    expect(Math.abs((shown.copy?.duration_seconds ?? 0) - 2)).toBeLessThanOrEqual(0.04)

    const master = path.join(folder, `master-${shade}.mov`)
    await system().ports.blobs.localPath(proxyKey(id), async (copy) => {
      const [before, after] = [countFrames(master, 'video/quicktime'), countFrames(copy, 'video/mp4')]
      expect(Math.abs(before - after)).toBeLessThanOrEqual(1)
      for (const second of [0, 1]) {
        const original = frameAt(master, 'video/quicktime', second).raster.data
        const copied = frameAt(copy, 'video/mp4', second).raster.data
        expect(copied.length).toBe(original.length)
        const difference = original.reduce((sum, value, at) => sum + Math.abs(value - (copied[at] ?? 0)), 0)
        // The scene moves by 7 steps a frame: a neighbour differs by far more.
        expect(difference / original.length).toBeLessThan(4)
      }
      // Its index comes first.
      const head = readFileSync(copy).subarray(0, 64).toString('latin1')
      expect(head).toContain('moov')
    })

    const again = await delivered(bytes)
    await queue(again.file.id)
    expect((await proxyOf(again.file))?.id).toBe(id)
    expect(await jobsOf(id)).toBe(1)
    expect(await getPlayback.execute(again.by(again.viewer), again.params)).toMatchObject({ status: 'ready' })
  })

  it('of HDR is fitted into SDR, and says so', async () => {
    const bytes = write('hdr.mp4', {
      video: {
        codec: 'hevc',
        pixels: 'yuv420p10',
        frames: 10,
        width: 480,
        height: 270,
        colour: { primaries: 9, transfer: 16, matrix: 9 },
      },
    })
    const media = { kind: 'video', codec: 'hevc', pixelFormat: 'yuv420p10le', audio: [] }
    const { file, params, viewer, by } = await delivered(bytes, { mediaType: 'video/mp4', media })
    await make(file)
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({
      status: 'ready',
      copy: { dynamic_range: 'tone_mapped', has_audio: false, width: 480, height: 270 },
    })
  })

  it('has square pixels, and is no interlaced video', async () => {
    const bytes = write('pal.mov', {
      video: {
        codec: 'prores',
        pixels: 'yuv422p10',
        frames: 6,
        width: 720,
        height: 576,
        aspect: [16, 11],
        fields: 'top first',
        options: { flags: '+ildct' },
      },
      audio: [
        { codec: 'pcm', seconds: 0.24, channels: 1 },
        { codec: 'pcm', seconds: 0.24, channels: 1 },
      ],
    })
    const { file, params, viewer, by } = await delivered(bytes)
    await make(file)
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({
      status: 'ready',
      copy: { width: 1048, height: 576, is_deinterlaced: true, has_audio: true },
    })
  })

  it('of more than two channels has each two of them as a file, and the curves of what is heard', async () => {
    // Each channel has a tone of its own: 5.1, then two tracks of one channel, then one alone.
    const toneOf = (track: number, channel: number) => 300 + 200 * (track * 6 + channel)
    const track = (number: number, channels: 1 | 2 | 6, rate = 48_000) => ({
      codec: 'pcm' as const,
      seconds: 2,
      rate,
      channels,
      sample: (time: number, channel: number) =>
        time < 1 ? 0 : 0.3 * Math.sin(2 * Math.PI * toneOf(number, channel) * time),
    })
    const bytes = write('channels.mov', {
      video: { codec: 'prores', pixels: 'yuv422p10', frames: 50 },
      audio: [track(0, 6), track(1, 1), track(2, 1), track(3, 1, 44_100)],
    })
    const { file, params, viewer, by } = await delivered(bytes)
    const id = await make(file)
    const { audio } = await getPlayback.execute(by(viewer), params)
    expect(audio?.pairs.map(({ channels }) => channels)).toEqual([
      [
        { track: 1, name: 'L' },
        { track: 1, name: 'R' },
      ],
      [
        { track: 1, name: 'C' },
        { track: 1, name: 'LFE' },
      ],
      [
        { track: 1, name: 'Ls' },
        { track: 1, name: 'Rs' },
      ],
      [
        { track: 2, name: 'mono' },
        { track: 3, name: 'mono' },
      ],
      [{ track: 4, name: 'mono' }],
    ])
    // Silence, then the tone: in the first half nothing, in the second what was painted.
    const { peaks = [], loudness = [] } = audio ?? {}
    expect(Math.max(...peaks.slice(0, peaks.length * 0.45))).toBeLessThan(0.02)
    expect(Math.min(...peaks.slice(peaks.length * 0.55, peaks.length * 0.95))).toBeGreaterThan(0.2)
    expect(Math.max(...loudness)).toBeGreaterThan(-20)
    expect(loudness[3]).toBe(-60)

    const heard = [
      [toneOf(0, 0), toneOf(0, 1)],
      [toneOf(0, 2), toneOf(0, 3)],
      [toneOf(0, 4), toneOf(0, 5)],
      [toneOf(1, 0), toneOf(2, 0)],
      [toneOf(3, 0), toneOf(3, 0)],
    ]
    for (const [number, tones] of heard.entries()) {
      const pair = await openPair.execute(by(viewer), { ...params, number: String(number) })
      expect(pair.key).toBe(pairKey(id, number))
      await system().ports.blobs.localPath(pair.key, async (stored) => {
        const channels = samplesOf(stored)
        // As long as the picture, so that it stands at the same times.
        expect(channels[0]?.length).toBeGreaterThan(1.95 * 48_000)
        expect(channels.map((samples) => loudestOf(samples, heard.flat()))).toEqual(tones)
      })
    }
    await expectRefusal(openPair.execute(by(viewer), { ...params, number: '5' }), 'not_found')
    await expectRefusal(openPair.execute(by(viewer), { ...params, number: '../0' }), 'not_found')

    // With the last file of the content all of it goes.
    await database().db.delete(files).where(eq(files.id, file.id))
    const later = system({ now: new Date(Date.now() + 120_000) })
    await inTransaction(later, (tx) => removeUnusedCopies(tx, PLAYBACK, { hashes: [file.sha256] }))
    expect(await keysToRemove(id)).toEqual([proxyKey(id), ...[0, 1, 2, 3, 4].map((number) => pairKey(id, number))])
  })

  it('of what browsers play is of its audio alone, where they could not choose its channels', async () => {
    const bytes = write('two-tracks.mp4', {
      video: { frames: 25 },
      audio: [{ seconds: 1 }, { seconds: 1, channels: 1 }],
    })
    const media = {
      kind: 'video',
      codec: 'h264',
      pixelFormat: 'yuv420p',
      audio: [
        { codec: 'aac', channels: 2 },
        { codec: 'aac', channels: 1 },
      ],
    }
    const { file, params, viewer, operator, by } = await delivered(bytes, { mediaType: 'video/mp4', media })
    await make(file)
    const shown = await getPlayback.execute(by(viewer), params)
    // The file itself is played, not the copy of its audio.
    expect(shown).toMatchObject({ is_needed: false, status: 'ready', url: null, copy: null })
    expect(shown.audio?.pairs.map(({ channels }) => channels.map(({ track }) => track))).toEqual([[1, 1], [2]])
    expect(shown.audio?.peaks.length).toBeGreaterThan(40)
    expect(await makePlayback.execute(by(operator), params)).toMatchObject({ status: 'queued' })
  })

  it('of audio that browsers do not play is AAC', async () => {
    const bytes = write('sound.aiff', { audio: [{ codec: 'pcm', seconds: 1 }] })
    const media = { kind: 'audio', audio: [{ codec: 'pcm_s16be' }] }
    const { file, params, viewer, by } = await delivered(bytes, { kind: 'audio', mediaType: 'audio/aiff', media })
    await make(file)
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({
      status: 'ready',
      copy: { codec: 'aac', width: null, has_audio: true },
    })
  })

  it('of a broken file says why there is none, and can be asked for again', async () => {
    const whole = prores()
    const broken = Buffer.from(whole)
    broken.fill(0x5a, 4_000, broken.length - 8_000)
    writeFileSync(path.join(folder, 'broken.mov'), broken)
    const { file, params, operator, viewer, by } = await delivered(broken)
    const id = await make(file)
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({
      status: 'failed',
      url: null,
      failure: expect.stringMatching(/^The video cannot be decoded at \d+\.\d\d s \(.*\)\.$/),
    })
    await expectRefusal(openPlayback.execute(by(viewer), params), 'not_found')
    expect(await makePlayback.execute(by(operator), params)).toMatchObject({ status: 'queued', failure: null })
    expect(await jobsOf(id)).toBe(1)
  })

  it('is tried again by the queue while the storage is away, and by the sweeper when its job is gone', async () => {
    const { file } = await delivered(prores())
    await queue(file.id)
    const proxy = await proxyOf(file)
    const id = proxy?.id ?? ''
    const { ports } = system()
    const away = () => Promise.reject(new StorageUnavailable('full', 'The disk is full.'))
    const blobs = new Proxy(ports.blobs, {
      get: (target, name) => (name === 'stage' ? away : Reflect.get(target, name).bind(target)),
    })
    await expect(makePlaybackCopy(system({ ports: { ...ports, blobs } }), { proxy_id: id })).rejects.toThrow(
      'The file storage is full',
    )
    expect((await proxyOf(file))?.status).toBe('running')

    // Its worker was killed, and its job is out of tries.
    await testSql`update graphile_worker._private_jobs set attempts = max_attempts where payload ->> 'proxy_id' = ${id}`
    const later = new Date(Date.now() + 2 * 3_600_000)
    expect(await inTransaction(system({ now: later }), (tx) => resumeLost(tx, PLAYBACK))).toBe(1)
    expect((await proxyOf(file))?.status).toBe('queued')
    expect(
      await inTransaction(system({ now: new Date(later.getTime() + 2 * 3_600_000) }), (tx) => resumeLost(tx, PLAYBACK)),
    ).toBe(0)
    await makePlaybackCopy(system(), { proxy_id: id })
    expect((await proxyOf(file))?.status).toBe('ready')
  })

  it('of a long video can be played piece by piece while it is made, at the same times', async () => {
    const { file, params, viewer, by } = await delivered(longMaster())
    await queue(file.id)
    const id = (await proxyOf(file))?.id ?? ''
    const { ports } = system()
    const shown: Playback[] = []
    const opened: Buffer[] = []
    const watched: PlaybackCopier = {
      copy: (source, of, hears, use) =>
        ports.playback.copy(
          source,
          of,
          {
            ...hears,
            async piece(piece) {
              const goesOn = (await hears.piece?.(piece)) ?? false
              const playback = await getPlayback.execute(by(viewer), params)
              shown.push(playback)
              const place = { ...params, ...placeOf(playback), number: String(piece.number) }
              const { key } = await openPiece.execute(by(viewer), place)
              opened.push(await buffer(await ports.blobs.read(key)))
              return goesOn
            },
          },
          use,
        ),
    }
    await makePlaybackCopy(system({ ports: { ...ports, playback: watched } }), { proxy_id: id })
    expect(shown[0]).toMatchObject({ status: 'running', url: null, pieces: { starts: [0], duration_seconds: 30 } })
    expect(shown[0]?.pieces?.end).toBeLessThanOrEqual(2)
    // How many there are in time is a matter of the machine.
    for (const [index, { pieces }] of shown.entries()) {
      expect(pieces?.starts).toHaveLength(index + 1)
      if (index > 0) expect(pieces?.starts.at(-1)).toBe(shown[index - 1]?.pieces?.end)
    }

    // What was there in time shows the frames of the whole copy, at their times.
    const grown = path.join(folder, 'grown.mp4')
    writeFileSync(grown, Buffer.concat(opened))
    const until = shown.at(-1)?.pieces?.end ?? 0
    await ports.blobs.localPath(proxyKey(id), async (copy) => {
      const whole = framesOf(copy)
      const there = framesOf(grown)
      expect(there.length).toBeGreaterThanOrEqual(25)
      expect(there).toEqual(whole.slice(0, there.length))
      expect(there.at(-1)).toBeCloseTo(until - 1 / 25, 2)
    })

    // The whole takes over, and nothing is left of the pieces.
    expect(await getPlayback.execute(by(viewer), params)).toMatchObject({ status: 'ready', pieces: null })
    const [first] = shown
    const place = { ...params, ...placeOf(first), number: '0' }
    await expectRefusal(openPiece.execute(by(viewer), place), 'not_found')
    await removeCopies(system(), { keys: await keysToRemove(placeOf(first).pieces_id) })
    expect(await objectsBelow(placeOf(first).pieces_id)).toEqual([])
  })

  it('that was not completed leaves no piece behind: the next attempt begins anew', async () => {
    const { file, params, viewer, by } = await delivered(longMaster())
    await queue(file.id)
    const id = (await proxyOf(file))?.id ?? ''
    const { ports } = system()
    const dying: PlaybackCopier = {
      async copy(_source, _of, hears) {
        for (const number of [0, 1])
          await hears.piece?.({
            number,
            start: number,
            end: number + 1,
            whole: 12,
            read: () => Readable.from([Buffer.from('a piece')]),
          })
        throw new CopyStopped('the worker stops')
      },
    }
    await expect(makePlaybackCopy(system({ ports: { ...ports, playback: dying } }), { proxy_id: id })).rejects.toThrow(
      CopyStopped,
    )
    const left = placeOf(await getPlayback.execute(by(viewer), params)).pieces_id
    // While it is to be made, they are claimed by its row.
    const threeHoursLater = () => system({ now: new Date(Date.now() + 3 * 3_600_000) })
    await sweep(threeHoursLater())
    expect(await objectsBelow(left)).toHaveLength(2)

    await makePlaybackCopy(system(), { proxy_id: id })
    expect(await keysToRemove(left)).toEqual([0, 1, 2].map((number) => `derived/${left}/${number}.mp4`))
    // Should that job be lost, the sweeper finds them.
    await sweep(threeHoursLater())
    expect(await objectsBelow(left)).toEqual([])
    expect(await isStored(id)).toBe(true)
  })

  it('that is being made goes with its pieces', async () => {
    const { file } = await delivered(Buffer.from('never read'))
    const piecesId = randomUUID()
    await makePlaybackProxy(file, {
      status: 'running',
      piecesId,
      pieceStarts: [0, 1],
      piecesEnd: 3,
      piecesWhole: 60,
    })
    await database().db.delete(files).where(eq(files.id, file.id))
    const later = system({ now: new Date(Date.now() + 120_000) })
    await inTransaction(later, (tx) => removeUnusedCopies(tx, PLAYBACK, { hashes: [file.sha256] }))
    expect(await keysToRemove(piecesId)).toHaveLength(3)
  })

  it('goes with the last file that holds its content', async () => {
    const bytes = prores()
    const [one, two] = [await delivered(bytes), await delivered(bytes)]
    const id = await make(one.file)
    const later = () => system({ now: new Date(Date.now() + 120_000) })
    const remove = async ({ file }: typeof one) => {
      await database()
        .db.update(files)
        .set({ removedAt: new Date(), previewsRemovedAt: new Date() })
        .where(eq(files.id, file.id))
      await removeExpired(later(), { file_ids: [file.id] })
    }
    await remove(one)
    await expectRefusal(getPlayback.execute(one.by(one.viewer), one.params), 'removed')
    expect(await isStored(id)).toBe(true)
    // What the sweeper finds is claimed by its row.
    await sweep(system({ now: new Date(Date.now() + 3 * 3_600_000) }))
    expect(await isStored(id)).toBe(true)
    await database().db.delete(files).where(eq(files.id, two.file.id))
    await removeObjects(later(), { file_id: two.file.id, object_key: two.file.objectKey, sha256: two.file.sha256 })
    expect(await proxyOf(two.file)).toBeUndefined()
    await removeCopies(system(), { keys: [proxyKey(id)] })
    expect(await isStored(id)).toBe(false)
  })

  it('is for who may have the file', async () => {
    const { file, batch, params, viewer, operator, coordinator, by } = await delivered(Buffer.from('never read'))
    await makePlaybackProxy(file)
    await expectRefusal(getPlayback.execute(by(await makeUser({ role: 'coordinator' })), params), 'not_found')
    await expectRefusal(makePlayback.execute(by(viewer), params), 'forbidden')
    expect((await openPlayback.execute(by(viewer), params)).proxy.sha256).toBe(file.sha256)
    await database().db.update(files).set({ integrity: 'quarantined' }).where(eq(files.id, file.id))
    await expectRefusal(openPlayback.execute(by(operator), params), 'forbidden')
    await expectRefusal(getPlayback.execute(by(operator), params), 'forbidden')
    expect((await openPlayback.execute(by(coordinator), params)).proxy.sha256).toBe(file.sha256)

    const played = await makeFile(batch, { kind: 'video', mediaType: 'video/mp4', media: { codec: 'h264' } })
    const at = { ...params, file_id: played.id }
    expect(await getPlayback.execute(by(viewer), at)).toMatchObject({ is_needed: false, status: null })
    await expectRefusal(makePlayback.execute(by(operator), at), 'invalid_state')
  })
})
