import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Head, sealEvents } from '@/lib/domain/audit/chain'
import { BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'

/**
 * Where the last known end of the chain is stored: with the files, which every machine reaches, and outside the database, so
 * that a chain that was cut off there is noticed.
 */
const HEAD = 'service/audit-head.json'

export async function sealAudit(ctx: Context) {
  const head = await sealEvents(ctx)
  if (head) await storeHead(ctx.ports.blobs, head)
}

export async function storeHead(blobs: BlobStore, head: Head): Promise<void> {
  const staged = await blobs.stage()
  try {
    await pipeline([`${JSON.stringify(head)}\n`], await staged.writable())
    await blobs.commit(staged, HEAD, { replace: true })
  } finally {
    await staged.discard()
  }
}

/** The end of the chain as it was last stored; null before the first time. */
export async function storedHead(blobs: BlobStore): Promise<Head | null> {
  try {
    return JSON.parse(await text(await blobs.read(HEAD)))
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
}
