import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Head, sealEvents } from '@/lib/domain/audit/chain'
import { BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'

/**
 * Places of the chain that are stored with the files, which every machine reaches, and outside the database: its last known
 * end, so that a chain that was cut off there is noticed, and how far `npm run audit:verify` has come.
 */
const PLACES = { end: 'service/audit-head.json', verified: 'service/audit-verified.json' } as const
type Place = keyof typeof PLACES

export async function sealAudit(ctx: Context) {
  const head = await sealEvents(ctx)
  if (head) await storeHead(ctx.ports.blobs, head)
}

export async function storeHead(blobs: BlobStore, head: Head, place: Place = 'end'): Promise<void> {
  const staged = await blobs.stage()
  try {
    await pipeline([`${JSON.stringify(head)}\n`], await staged.writable())
    await blobs.commit(staged, PLACES[place], { replace: true })
  } finally {
    await staged.discard()
  }
}

/** The end of the chain, or how far it was verified, as it was last stored; null before the first time. */
export async function storedHead(blobs: BlobStore, place: Place = 'end'): Promise<Head | null> {
  try {
    return JSON.parse(await text(await blobs.read(PLACES[place])))
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
}
