import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp, { type Sharp } from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { imageTiles } from '@/db/schema/image-tiles'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeImageTiles, makeProject, makeUser } from '@/fixtures/factories'
import { heic, heicGrid } from '@/fixtures/heic'
import '@/lib/http/testing'
import { removeExpired, removeObjects, sweep } from '@/lib/jobs/sweep'
import { tiffHead } from '@/lib/media/tiles/tiff-head'
import { closeTiler } from '@/lib/media/tiles/tiler'
import { newContext } from '@/lib/service'
import { resumeLost } from '../files/content-copies'
import { type BlobKey, StorageUnavailable } from '../kernel/blob-store'
import { type Context, inTransaction } from '../kernel/operation'
import { removeCopies } from '../repairs/run'
import { as, expectRefusal } from '../testing'
import { TILES, tilesKey } from './find'
import { getTiles, makeTiles, openTile } from './operations'
import { makeImageTiles as cutTiles } from './run'

afterAll(closeTiler)

const WIDTH = 2600
const HEIGHT = 1700

const system = (given: Partial<Context> = {}) => ({
  ...newContext({ actor: { type: 'system', name: 'A test' } }),
  ...given,
})

let shade = 0
/** Every pixel differs from those around it, and from the same of the image before. */
function pixels(channels: 3 | 4) {
  shade += 1
  const data = Buffer.alloc(WIDTH * HEIGHT * channels)
  for (let at = 0, y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      data[at++] = (x * 7 + shade) & 255
      data[at++] = (y * 5) & 255
      data[at++] = (x ^ y) & 255
      if (channels === 4) data[at++] = 128 + (x & 127)
    }
  return { data, image: sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } }) }
}

/** A stored image in a batch that is reviewed, with people around it. */
async function delivered(bytes: Buffer, given: Partial<typeof files.$inferInsert> = {}) {
  const viewer = await makeUser({ role: 'viewer' })
  const operator = await makeUser({ role: 'operator' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [viewer, operator, coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1 })
  const file = await makeFile(batch, {
    name: 'poster.png',
    kind: 'image',
    mediaType: 'image/png',
    media: { kind: 'image', width: WIDTH, height: HEIGHT },
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
type Delivered = Awaited<ReturnType<typeof delivered>>

const rowOf = async ({ sha256 }: { sha256: string }) =>
  (await database().db.select().from(imageTiles).where(eq(imageTiles.sha256, sha256)))[0]
const jobsOf = async (id: string) => {
  const jobs = await testSql`select from graphile_worker._private_jobs j where j.payload ->> 'tiles_id' = ${id}`
  return jobs.length
}
const isStored = (id: string) =>
  system()
    .ports.blobs.size(tilesKey(id))
    .then(
      () => true,
      () => false,
    )

async function make({ file, params, viewer, by }: Delivered) {
  await makeTiles.execute(by(viewer), params)
  const id = (await rowOf(file))?.id ?? ''
  await cutTiles(system(), { tiles_id: id })
  return id
}

async function tile({ params, viewer, by }: Delivered, level: number, column: number, row: number) {
  const place = { level: String(level), column: String(column), row: String(row) }
  const opened = await openTile.execute(by(viewer), { ...params, ...place })
  const { blobs } = system().ports
  const parts: Buffer[] = []
  for await (const part of await blobs.read(tilesKey(opened.tilesId), opened.place)) parts.push(Buffer.from(part))
  return sharp(Buffer.concat(parts)).raw().toBuffer({ resolveWithObject: true })
}

/** The largest difference between the tiles of the last level and the pixels they were made of. */
async function difference(on: Delivered, source: Buffer, channels: number, [width, height] = [WIDTH, HEIGHT]) {
  const { tiles } = await getTiles.execute(on.by(on.viewer), on.params)
  let largest = 0
  for (let row = 0; row * 512 < height; row++)
    for (let column = 0; column * 512 < width; column++) {
      const { data, info } = await tile(on, (tiles?.levels ?? 0) - 1, column, row)
      expect(info.channels).toBe(channels)
      for (let y = 0; y < info.height; y++) {
        const from = ((row * 512 + y) * width + column * 512) * channels
        const line = source.subarray(from, from + info.width * channels)
        const shown = data.subarray(y * info.width * channels, (y + 1) * info.width * channels)
        if (line.equals(shown)) continue
        for (const [at, value] of shown.entries()) largest = Math.max(largest, Math.abs(value - (line[at] ?? 0)))
      }
    }
  return largest
}

describe('the tiles of a large image', () => {
  it('of a PNG with alpha have every pixel as it is, and are made once for one content', async () => {
    const { data, image } = pixels(4)
    const bytes = await image.png({ compressionLevel: 1 }).toBuffer()
    const on = await delivered(bytes)
    expect(await getTiles.execute(on.by(on.viewer), on.params)).toEqual({
      is_needed: true,
      status: null,
      failure: null,
      tiles: null,
    })
    const id = await make(on)
    const { tiles, ...rest } = await getTiles.execute(on.by(on.viewer), on.params)
    expect(rest).toEqual({ is_needed: true, status: 'ready', failure: null })
    expect(tiles).toMatchObject({ width: WIDTH, height: HEIGHT, tile_size: 512, levels: 4, has_alpha: true })
    expect(tiles?.url).toMatch(new RegExp(`/files/${on.file.id}/tiles$`))
    expect(await difference(on, data, 4)).toBe(0)
    expect((await tile(on, 0, 0, 0)).info).toMatchObject({ width: 325, height: 213 })

    const again = await delivered(bytes)
    expect(await makeTiles.execute(again.by(again.viewer), again.params)).toMatchObject({ status: 'ready' })
    expect(await jobsOf(id)).toBe(1)
  })

  const formats: [string, string, (image: Sharp) => Promise<Buffer>, number][] = [
    [
      'a TIFF of 16 bits',
      'image/tiff',
      (image) => image.toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer(),
      0,
    ],
    ['a lossless WebP', 'image/webp', (image) => image.webp({ lossless: true, effort: 0 }).toBuffer(), 0],
    [
      'an AVIF',
      'image/avif',
      (image) => image.avif({ quality: 100, chromaSubsampling: '4:4:4', effort: 0 }).toBuffer(),
      8,
    ],
    ['a JPEG', 'image/jpeg', (image) => image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(), 4],
  ]
  it.each(formats)('of %s have its pixels', async (_name, mediaType, encode, most) => {
    const { data, image } = pixels(3)
    const on = await delivered(await encode(image), { mediaType })
    await make(on)
    expect(await getTiles.execute(on.by(on.viewer), on.params)).toMatchObject({ status: 'ready', failure: null })
    expect(await difference(on, data, 3)).toBeLessThanOrEqual(most)
  })

  it('of a PSD have the pixels of its merged image, with its profile applied', async () => {
    const { data } = pixels(3)
    const profile = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
      .then((png) => sharp(png).metadata())
      .then(({ icc }) => icc)
    const mediaType = 'image/vnd.adobe.photoshop'
    const plain = await delivered(psd(data), { mediaType })
    await make(plain)
    expect(await difference(plain, data, 3)).toBe(0)
    const wide = await delivered(psd(data, profile), { mediaType })
    await make(wide)
    // The same pixels under the same profile, by another way.
    const tagged = Buffer.concat([
      tiffHead({ width: WIDTH, height: HEIGHT, channels: 3, profile: profile ?? null, orientation: 1 }),
      data,
    ])
    const managed = await sharp(tagged).toColourspace('srgb').raw().toBuffer()
    expect(managed.equals(data)).toBe(false)
    expect(await difference(wide, managed, 3)).toBe(0)
  })

  it.each(['one image', 'a grid of images'])('of a HEIC of %s show its pixels', async (what) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-heic-'))
    // Luma of video, 16 to 235; wide steps, which a lossy coder keeps.
    const luma = (x: number, y: number) => 40 + ((Math.floor(x / 100) * 17 + Math.floor(y / 100) * 29) % 180)
    const paint = (_frame: number, x: number, y: number) => luma(x, y)
    const scratch = path.join(folder, 'image')
    const bytes =
      what === 'one image'
        ? heic(scratch, WIDTH, HEIGHT, paint)
        : heicGrid(scratch, { width: WIDTH, height: HEIGHT, side: 1024 }, paint)
    rmSync(folder, { recursive: true })
    const on = await delivered(bytes, { name: 'poster.heic', mediaType: 'image/heic' })
    await make(on)
    const shown = await getTiles.execute(on.by(on.viewer), on.params)
    expect(shown).toMatchObject({ status: 'ready', failure: null, tiles: { width: WIDTH, height: HEIGHT } })
    for (const [column, row] of [
      [0, 0],
      [2, 1],
      [5, 3],
    ] as const) {
      const { data, info } = await tile(on, (shown.tiles?.levels ?? 0) - 1, column, row)
      expect(info).toMatchObject({
        width: Math.min(512, WIDTH - column * 512),
        height: Math.min(512, HEIGHT - row * 512),
      })
      let sum = 0
      for (let y = 0; y < info.height; y++)
        for (let x = 0; x < info.width; x++) {
          const seen = data[(y * info.width + x) * info.channels] ?? 0
          sum += Math.abs(seen - ((luma(column * 512 + x, row * 512 + y) - 16) * 255) / 219)
        }
      expect(sum / (info.width * info.height)).toBeLessThan(4)
    }
  })

  it('of an image beyond 24 megapixels have every pixel, and so many levels', async () => {
    const [width, height] = [6200, 4000]
    const data = Buffer.alloc(width * height * 3)
    for (let at = 0, y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        data[at++] = x & 255
        data[at++] = y & 255
        data[at++] = ((x >> 8) << 4) | (y >> 8)
      }
    const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const on = await delivered(bytes, { media: { kind: 'image', width, height } })
    await make(on)
    expect(await getTiles.execute(on.by(on.viewer), on.params)).toMatchObject({
      status: 'ready',
      tiles: { width, height, levels: 5 },
    })
    expect(await difference(on, data, 3, [width, height])).toBe(0)
  })

  it('are upright and in sRGB', async () => {
    const { image } = pixels(3)
    const turned = await image.withMetadata({ orientation: 6 }).png({ compressionLevel: 1 }).toBuffer()
    const upright = await sharp(turned).autoOrient().raw().toBuffer()
    const on = await delivered(turned)
    await make(on)
    const { tiles } = await getTiles.execute(on.by(on.viewer), on.params)
    expect(tiles).toMatchObject({ width: HEIGHT, height: WIDTH })
    expect(await difference(on, upright, 3, [HEIGHT, WIDTH])).toBe(0)

    const cmyk = await pixels(3).image.toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    const inks = await delivered(cmyk, { mediaType: 'image/jpeg' })
    await make(inks)
    expect(await difference(inks, await sharp(cmyk).toColourspace('srgb').raw().toBuffer(), 3)).toBe(0)
  })

  it('of a broken file say why there are none, and can be asked for again', async () => {
    const whole = await pixels(3).image.png({ compressionLevel: 1 }).toBuffer()
    whole.fill(0x5a, 40_000, whole.length - 8000)
    const on = await delivered(whole)
    const id = await make(on)
    expect(await getTiles.execute(on.by(on.viewer), on.params)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/^[A-Z].{10,}\.$/),
      tiles: null,
    })
    await expectRefusal(
      openTile.execute(on.by(on.viewer), { ...on.params, level: '0', column: '0', row: '0' }),
      'not_found',
    )
    expect(await makeTiles.execute(on.by(on.viewer), on.params)).toMatchObject({ status: 'queued', failure: null })
    expect(await jobsOf(id)).toBe(1)
  })

  it('are tried again by the queue while the storage is away, and by the sweeper when their job is gone', async () => {
    const on = await delivered(await pixels(3).image.png({ compressionLevel: 1 }).toBuffer())
    await makeTiles.execute(on.by(on.viewer), on.params)
    const id = (await rowOf(on.file))?.id ?? ''
    const { ports } = system()
    const away = () => Promise.reject(new StorageUnavailable('full', 'The disk is full.'))
    const blobs = new Proxy(ports.blobs, {
      get: (target, name) => (name === 'stage' ? away : Reflect.get(target, name).bind(target)),
    })
    await expect(cutTiles(system({ ports: { ...ports, blobs } }), { tiles_id: id })).rejects.toThrow(
      'The file storage is full',
    )
    expect((await rowOf(on.file))?.status).toBe('running')
    await testSql`update graphile_worker._private_jobs set attempts = max_attempts where payload ->> 'tiles_id' = ${id}`
    const later = new Date(Date.now() + 2 * 3_600_000)
    expect(await inTransaction(system({ now: later }), (tx) => resumeLost(tx, TILES))).toBe(1)
    await cutTiles(system(), { tiles_id: id })
    expect((await rowOf(on.file))?.status).toBe('ready')
  })

  it('go with the last file that holds their content', async () => {
    const bytes = await pixels(3).image.png({ compressionLevel: 1 }).toBuffer()
    const [one, two] = [await delivered(bytes), await delivered(bytes)]
    const id = await make(one)
    const later = () => system({ now: new Date(Date.now() + 120_000) })
    await database()
      .db.update(files)
      .set({ removedAt: new Date(), previewsRemovedAt: new Date() })
      .where(eq(files.id, one.file.id))
    await removeExpired(later(), { file_ids: [one.file.id] })
    await expectRefusal(getTiles.execute(one.by(one.viewer), one.params), 'removed')
    // What the sweeper finds is claimed by its row.
    await sweep(system({ now: new Date(Date.now() + 3 * 3_600_000) }))
    expect(await isStored(id)).toBe(true)
    await database().db.delete(files).where(eq(files.id, two.file.id))
    await removeObjects(later(), { file_id: two.file.id, object_key: two.file.objectKey, sha256: two.file.sha256 })
    expect(await rowOf(two.file)).toBeUndefined()
    await removeCopies(system(), { keys: [tilesKey(id)] })
    expect(await isStored(id)).toBe(false)
  })

  it('are for who may have the file', async () => {
    const { file, batch, params, viewer, operator, coordinator, by } = await delivered(Buffer.from('never read'))
    await makeImageTiles(file)
    const first = { ...params, level: '0', column: '0', row: '0' }
    const stranger = by(await makeUser({ role: 'coordinator' }))
    await expectRefusal(getTiles.execute(stranger, params), 'not_found')
    await expectRefusal(makeTiles.execute(stranger, params), 'not_found')
    await expectRefusal(openTile.execute(stranger, first), 'not_found')
    expect((await openTile.execute(by(viewer), first)).place).toEqual({ start: 0, end: 999 })
    for (const wrong of [{ level: '1' }, { column: '1' }, { row: '-1' }, { level: '0x0' }, { row: '1e3' }])
      await expectRefusal(openTile.execute(by(viewer), { ...first, ...wrong }), 'not_found')
    await database().db.update(files).set({ integrity: 'quarantined' }).where(eq(files.id, file.id))
    await expectRefusal(openTile.execute(by(operator), first), 'forbidden')
    await expectRefusal(getTiles.execute(by(operator), params), 'forbidden')
    expect((await openTile.execute(by(coordinator), first)).file.id).toBe(file.id)

    const small = await makeFile(batch, { mediaType: 'image/png', media: { kind: 'image', width: 300, height: 250 } })
    const at = { ...params, file_id: small.id }
    expect(await getTiles.execute(by(viewer), at)).toMatchObject({ is_needed: false, status: null })
    await expectRefusal(makeTiles.execute(by(operator), at), 'invalid_state')
  })
})

/** A PSD of RGB with 8 bits: its merged image as it is, and a profile (Adobe Photoshop File Formats Specification). */
function psd(rgb: Buffer, profile?: Buffer): Buffer {
  const head = Buffer.alloc(26)
  head.write('8BPS', 'latin1')
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(3, 12)
  head.writeUInt32BE(HEIGHT, 14)
  head.writeUInt32BE(WIDTH, 18)
  head.writeUInt16BE(8, 22)
  head.writeUInt16BE(3, 24)
  const long = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const resource = profile
    ? Buffer.concat([
        Buffer.from('8BIM\x04\x0f\0\0', 'latin1'),
        long(profile.length),
        profile,
        Buffer.alloc(profile.length % 2),
      ])
    : Buffer.alloc(0)
  const planes = [0, 1, 2].map((channel) => {
    const plane = Buffer.alloc(WIDTH * HEIGHT)
    for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = rgb[pixel * 3 + channel] ?? 0
    return plane
  })
  return Buffer.concat([head, long(0), long(resource.length), resource, long(0), Buffer.alloc(2), ...planes])
}
