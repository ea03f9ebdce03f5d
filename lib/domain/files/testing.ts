import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import sharp from 'sharp'
import { afterAll } from 'vitest'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { closeInspector, inspectFile } from '@/lib/media/inspect/inspect'
import type { Upload } from '../kernel/intake'
import type { PartialPorts } from '../testing'

/** A real store in a folder of its own and the real inspector: what tests of uploads stand on. */
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-files-'))
const store = new DiskBlobStore(folder)
afterAll(() => {
  closeInspector()
  rmSync(folder, { recursive: true, force: true })
})

export const uploadPorts = {
  blobs: store,
  files: { inspect: inspectFile, scan: null, integrityWaitMs: 60_000 },
} satisfies PartialPorts

/** Keys of everything the store holds. */
export async function storedKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const object of store.list()) keys.push(object.key)
  return keys
}

/** An upload whose bytes have arrived. */
export async function arrived(name: string, bytes: Buffer): Promise<Upload> {
  const staged = await store.stage()
  const writable = await staged.writable()
  writable.end(bytes)
  await finished(writable)
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), staged }
}

let shade = 0

/** A PNG that was never sent before, of the size given. */
export function image(width = 30, height = 25): Promise<Buffer> {
  shade += 1
  const background = { r: shade % 256, g: Math.floor(shade / 256) % 256, b: width % 256 }
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}
