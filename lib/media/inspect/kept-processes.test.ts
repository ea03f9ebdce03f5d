import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeMedia } from '@/fixtures/video'
import { SandboxedProcess } from '@/lib/sandbox/process'
import { closeInspector, inspectFile } from './inspect'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-small-'))
const worked = vi.spyOn(SandboxedProcess.prototype, 'run')

beforeEach(() => {
  closeInspector()
  worked.mockClear()
})
afterAll(() => {
  worked.mockRestore()
  closeInspector()
  rmSync(folder, { recursive: true })
})

const image = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } })
    .png()
    .toBuffer()

let serial = 0
async function inspect(bytes: Buffer, agencyId?: string) {
  serial += 1
  const file = path.join(folder, `${serial}.png`)
  writeFileSync(file, bytes)
  return (await inspectFile(file, { extension: 'png', agencyId })).violations.map(({ code }) => code)
}

/** The process of each file, by its place among those that were used. */
function processes() {
  const used = worked.mock.contexts as SandboxedProcess<never>[]
  const all = [...new Set(used)]
  return used.map((process) => all.indexOf(process))
}

it('small files of one agency are read by one process, those of another by another', async () => {
  const bytes = await image()
  for (const agency of ['a', 'a', 'b', 'a', 'b']) expect(await inspect(bytes, agency)).toEqual([])
  expect(processes()).toEqual([0, 0, 1, 0, 1])
})

it('each file of an owner that is not known is read by a process of its own', async () => {
  const bytes = await image()
  for (let count = 0; count < 3; count++) expect(await inspect(bytes)).toEqual([])
  expect(processes()).toEqual([0, 1, 2])
})

it('a process that has met a damaged file reads no other', async () => {
  const bytes = await image()
  expect(await inspect(bytes, 'a')).toEqual([])
  expect(await inspect(bytes.subarray(0, bytes.length - 20), 'a')).toEqual(['truncated'])
  expect(await inspect(bytes, 'a')).toEqual([])
  expect(processes()).toEqual([0, 0, 1])
})

it('files that come at once are read by two processes and more, one each at a time', async () => {
  const bytes = await image()
  const found = await Promise.all(Array.from({ length: 6 }, () => inspect(bytes, 'a')))
  expect(found).toEqual(Array.from({ length: 6 }, () => []))
  expect(new Set(processes()).size).toBeLessThan(6)
})

it('a file of more than 4 MiB is read by a process of its own', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const large = await sharp({ create: { width: 1400, height: 1200, channels: 3, background: '#888', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(large.length).toBeGreaterThan(4 * 1024 * 1024)
  for (let count = 0; count < 2; count++) expect(await inspect(large, 'a')).toEqual([])
  expect(processes()).toEqual([0, 1])
})

describe('files that are measured', () => {
  const film = path.join(folder, 'film.mp4')
  const paint = (frame: number, x: number, y: number) => 40 + ((x + frame * 5) & 127) + ((y * 3) & 31)
  const sample = (time: number) => 0.3 * Math.sin(2 * Math.PI * 440 * time)
  beforeAll(() =>
    writeMedia(film, {
      video: { width: 320, height: 180, frames: 50, threads: 1, paint },
      audio: [{ seconds: 2, sample }],
    }),
  )
  const measure = (agencyId?: string, isAhead = false) =>
    inspectFile(film, { extension: 'mp4', deep: true, agencyId, isAhead })

  it('follow one another in a process by agency, whatever their size, and are measured the same there', async () => {
    const alone = await measure()
    const [first, second, other] = [await measure('a'), await measure('a'), await measure('b')]
    expect(alone.measures?.video).toBeDefined()
    for (const each of [first, second, other]) expect(each).toEqual(alone)
    expect(processes()).toEqual([0, 1, 1, 2])
  })

  it('do not take a process that lets others go first, nor give theirs to such', async () => {
    await measure('a', true)
    await measure('a')
    await measure('a', true)
    expect(processes()).toEqual([0, 1, 0])
  })

  it('leave no process to others after damage', async () => {
    const damaged = path.join(folder, 'damaged.mp4')
    const bytes = readFileSync(film)
    writeFileSync(damaged, bytes.subarray(0, bytes.length - 4000))
    const { violations } = await inspectFile(damaged, { extension: 'mp4', deep: true, agencyId: 'a' })
    expect(violations).not.toEqual([])
    await measure('a')
    expect(processes()).toEqual([0, 1])
  })
})
