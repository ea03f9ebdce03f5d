import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commandLine } from '@/server/embedded-database/process'
import { inspectFile } from '../inspect/inspect'
import { closeMeasurer, drawFile, inspectImageFile } from './measurer'

let folder: string
const at = (name: string) => path.join(folder, name)
const png = { kind: 'image', mediaType: 'image/png' } as const

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'measurer-'))
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><circle cx="200" cy="200" r="150" fill="#084"/></svg>'
  await sharp(Buffer.from(drawing)).png().toFile(at('good.png'))
  await writeFile(at('bad.png'), (await sharp(at('good.png')).toBuffer()).subarray(0, 500))
})
afterAll(async () => {
  closeMeasurer()
  await rm(folder, { recursive: true })
})

describe('the measurer', () => {
  test('measures pixels in a process of its own', async () => {
    expect(await inspectImageFile(at('good.png'), png)).toMatchObject({ pixels: { width: 640, height: 400 } })
  })

  test('draws a thumbnail and a preview', async () => {
    const { thumbnail, preview } = await drawFile(at('good.png'), png)
    expect(await sharp(thumbnail ?? undefined).metadata()).toMatchObject({ format: 'webp', width: 320, height: 200 })
    expect(await sharp(preview ?? undefined).metadata()).toMatchObject({ format: 'webp', width: 640, height: 400 })
  })

  test('says why a damaged file could not be measured, without saying where it lies, and goes on', async () => {
    const [bad, good] = await Promise.all([inspectImageFile(at('bad.png'), png), inspectImageFile(at('good.png'), png)])
    expect(bad).toHaveProperty('pixels.failed', expect.stringContaining('could not be decoded'))
    expect(JSON.stringify(bad)).not.toContain(folder)
    expect(good).toHaveProperty('pixels.width', 640)
  })

  test('draws nothing for what shows nothing', async () => {
    expect(await drawFile(at('good.png'), { kind: 'archive', mediaType: 'application/zip' })).toEqual({
      thumbnail: null,
      preview: null,
    })
  })

  test('returns every one of many at once', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => inspectImageFile(at('good.png'), png)))
    expect(all.every((one) => 'pixels' in one && one.pixels && 'width' in one.pixels && one.pixels.width === 640)).toBe(
      true,
    )
  })

  test('returns when a file is not there', async () => {
    expect(await inspectImageFile(at('gone.png'), png)).toHaveProperty('pixels.failed')
  })
})

test('the measurer and the inspector give their memory back after a minute without work', async () => {
  const children = (program: string) =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((pid) => commandLine(Number(pid)).includes(program))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await Promise.all([inspectImageFile(at('good.png'), png), inspectFile(at('good.png'), { extension: 'png' })])
    expect(children('measurer')).not.toEqual([])
    expect(children('inspector')).not.toEqual([])
    vi.advanceTimersByTime(60_000)
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(() => [...children('measurer'), ...children('inspector')]).toEqual([])
  expect(await inspectImageFile(at('good.png'), png)).toHaveProperty('pixels.width', 640)
})
