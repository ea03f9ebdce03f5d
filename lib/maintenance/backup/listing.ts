import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { type BlobKey, BlobNotFound, type BlobStore, isBlobKey } from '@/lib/domain/kernel/blob-store'
import type { FoundBackup } from './manifest'
import type { SpooledObject } from './snapshot'
import { expecting, linesOf, type Sum, through } from './streams'
import { BackupError, listingName, type Target } from './target'

/** An object of a backup, one a line of `objects.jsonl.gz`: its bytes by their hash, or why they are not there. */
export type BackedUpObject = { key: BlobKey } & (Sum | { missing: string })

const line = z.union([
  z.strictObject({
    key: z.string().refine(isBlobKey, 'is no key of an object'),
    bytes: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ key: z.string().refine(isBlobKey, 'is no key of an object'), missing: z.string().max(200) }),
])

/**
 * The objects of a backup, in the order of their files, read as a stream.
 * @throws BackupError when the listing is not the one that the manifest means, at the latest behind its last line
 */
export async function* readListing(
  target: Target,
  { id, manifest }: FoundBackup,
): AsyncGenerator<BackedUpObject, void> {
  const name = listingName(id)
  const unpacked = through(expecting(name, manifest.objects, await target.read(name)), createGunzip())
  try {
    for await (const value of linesOf<unknown>(unpacked)) {
      const parsed = line.safeParse(value)
      if (!parsed.success)
        throw new BackupError(`${name} holds a line that is none: ${JSON.stringify(value).slice(0, 200)}`)
      yield parsed.data as BackedUpObject
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${name} cannot be read: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    })
  }
}

/**
 * Of images that the previous backup holds, the hashes: nothing else knows them. Both lists are in the order of their
 * files, so that they are read side by side and none is held in memory.
 */
export class KnownImages {
  private lines: AsyncGenerator<BackedUpObject, void> | null
  private ahead: BackedUpObject | null = null
  private known = new Map<BlobKey, Sum>()

  constructor(
    target: Target,
    previous: FoundBackup | null,
    private readonly blobs: BlobStore,
  ) {
    this.lines = previous ? readListing(target, previous) : null
  }

  /** Reads on to the files of these objects, and forgets those before. */
  async advanceTo(objects: readonly SpooledObject[]): Promise<void> {
    const wanted = objects.filter(({ uploaded }) => !uploaded).map(({ key }) => ownerOf(key))
    const [first, last] = [wanted[0], wanted.at(-1)]
    if (!first || !last) return
    for (const key of this.known.keys()) if (ownerOf(key) < first) this.known.delete(key)
    for (;;) {
      this.ahead ??= await this.next()
      if (!this.ahead || ownerOf(this.ahead.key) > last) return
      if (!('missing' in this.ahead) && ownerOf(this.ahead.key) >= first)
        this.known.set(this.ahead.key, { bytes: this.ahead.bytes, sha256: this.ahead.sha256 })
      this.ahead = null
    }
  }

  /** What an image is, unless it was drawn anew since with another size; null where unknown. */
  async find(key: BlobKey): Promise<Sum | null> {
    const known = this.known.get(key)
    if (!known) return null
    const size = await this.blobs.size(key).catch((error: unknown) => {
      if (error instanceof BlobNotFound) return null
      throw error
    })
    return size === known.bytes ? known : null
  }

  async close(): Promise<void> {
    await this.lines?.return()
  }

  private async next(): Promise<BackedUpObject | null> {
    for (;;) {
      const step = await this.lines?.next().catch((error: unknown) => {
        // Without it, images are hashed anew.
        if (!(error instanceof BackupError)) throw error
        this.lines = null
      })
      if (!step || step.done || !step.value) return null
      if (step.value.key.startsWith('derived/')) return step.value
    }
  }
}

const ownerOf = (key: BlobKey) => key.split('/')[1] ?? ''
