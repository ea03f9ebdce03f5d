import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { Printable } from '@/lib/pdf/printable'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import type { PrinterJobs } from './protocol'

/** At low priority, on a machine that is busy with videos, a long document waits a lot. */
const LIMITS = { cpuMs: 180_000, wallMs: 180_000 }
/** Documents that may wait their turn before we say that there are too many. */
const MAX_WAITING = 50
/** Counted up when documents are drawn in another way: what was stored of the way before is then drawn anew. */
const DRAWING = 5

/** One document after the other, so that the start of the process and the typefaces are paid for once. */
const printers = new ProcessPool<PrinterJobs>({
  program: SANDBOXED_PROGRAMS.printer,
  label: 'the process',
  // A long document is many small objects: with room for the young ones, collecting them costs half.
  nodeOptions: ['--max-semi-space-size=64'],
  maxBytes: 1536 * 1024 * 1024,
  maxResultBytes: 256 * 1024 * 1024,
  parallel: 1,
  jobsEach: Number.POSITIVE_INFINITY,
  // Drawing can wait: a user who waits for a page of the product goes first.
  nice: 5,
})
/** A document that was open in two browsers as it was before and as it is now is not drawn anew for each request. */
const FORMER_MS = 60 * 60_000
/** What is being drawn now: who asks for the same meanwhile waits for the same. */
const underWay = new Map<BlobKey, Promise<Buffer>>()

/**
 * A document as PDF. The same estimate or certificate always gives the same bytes, so they are stored under the hash of
 * what is on it, beside what else is derived of its owner, and drawn once; those it replaces are removed after an hour. A report or a contact sheet says when it was made and is stored nowhere.
 *
 * It is drawn by a process of its own, one at a time and at low priority: printing costs no other request anything.
 *
 * @throws DomainError `unavailable` when the document could not be drawn, or too many wait.
 */
export function printerWith(blobs: BlobStore) {
  return async (ownerId: string, document: Printable): Promise<Buffer> => {
    if (document.kind === 'report' || document.kind === 'contact_sheet') return draw(document)
    const hash = createHash('sha256')
      .update(JSON.stringify([DRAWING, document]))
      .digest('hex')
    const key: BlobKey = `derived/${ownerId}/${hash.slice(0, 32)}.pdf`
    const stored = await find(blobs, key)
    if (stored) return stored
    const running = underWay.get(key)
    if (running) return running
    const drawing = draw(document).finally(() => underWay.delete(key))
    underWay.set(key, drawing)
    const pdf = await drawing
    // A full disk is no reason to withhold what is already drawn.
    await store(blobs, key, pdf)
      .then(() => removeFormer(blobs, ownerId, key))
      .catch(() => undefined)
    return pdf
  }
}

/** Ends the waiting process, so that a process that is done can leave at once. */
export function closePrinter(): void {
  printers.close()
}

async function draw(document: Printable): Promise<Buffer> {
  if (printers.waiting >= MAX_WAITING) {
    throw unavailable('Too many documents are being printed at the moment. Try again shortly.')
  }
  const end = await printers.run('print', document, LIMITS)
  if (end.end === 'completed') return Buffer.from(end.result, 'base64')
  throw unavailable(`The ${document.kind.replace('_', ' ')} could not be drawn as PDF: ${end.why}. Try again shortly.`)
}

const unavailable = (message: string) => new DomainError('unavailable', message, { retryAfter: 10 })

async function find(blobs: BlobStore, key: BlobKey): Promise<Buffer | null> {
  try {
    return await buffer(await blobs.read(key))
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
}

/** What was printed of the same owner over an hour ago: it has changed since, and would come out the same again. */
async function removeFormer(blobs: BlobStore, ownerId: string, newest: BlobKey): Promise<void> {
  for await (const { key, modifiedAt } of blobs.list({ derivedOf: ownerId }))
    if (key.endsWith('.pdf') && key !== newest && modifiedAt.getTime() < Date.now() - FORMER_MS) await blobs.delete(key)
}

async function store(blobs: BlobStore, key: BlobKey, pdf: Buffer): Promise<void> {
  const staged = await blobs.stage()
  try {
    await pipeline([pdf], await staged.writable())
    await blobs.commit(staged, key, { replace: true })
  } finally {
    await staged.discard()
  }
}
