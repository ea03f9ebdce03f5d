import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { BackupError, idOf, manifestName, type Target } from './target'

const FORMAT = 1
const MAX_BYTES = 16 * 1024 * 1024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const count = z.int().min(0)
/** A file of the backup: its length and SHA-256 as it lies there. */
const stored = z.strictObject({ bytes: count, sha256 })

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** The moment of the snapshot: everything committed before it is in the backup. */
  taken_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  version: z.string().max(100),
  /** SHA-256 of the first seal of the audit chain: two databases with one came from one. Null before the first seal. */
  installation: sha256.nullable(),
  migrations: z.array(z.strictObject({ made_at: z.int(), sha256 })).min(1),
  tables: z.array(
    z.strictObject({ name: identifier, columns: z.array(identifier).min(1), rows: count, ...stored.shape }),
  ),
  sequences: z.array(z.strictObject({ name: identifier, last: z.string().regex(/^\d{1,19}$/) })),
  objects: z.strictObject({ count, total_bytes: count, missing: count, ...stored.shape }),
  audit_head: z.strictObject({ position: count, hash: sha256 }).nullable(),
  secrets: stored.nullable(),
})

/** What a backup says of itself; written last, so that a backup without one was broken off. */
export type Manifest = z.infer<typeof manifest>

/** HMAC-SHA-256 (RFC 2104) under a key derived from the service's secret: who only has the target cannot write one. */
function signatureOf(authSecret: string, value: unknown): Buffer {
  const key = Buffer.from(hkdfSync('sha256', authSecret, 'greenroom', 'backup manifest', 32))
  return createHmac('sha256', key).update(JSON.stringify(value)).digest()
}

export async function writeManifest(target: Target, value: Manifest, authSecret: string): Promise<void> {
  const signature = signatureOf(authSecret, value).toString('hex')
  const bytes = Buffer.from(`${JSON.stringify({ signature, manifest: value }, null, 2)}\n`)
  await target.put(manifestName(idOf(new Date(value.taken_at))), only(bytes), bytes.length)
}

async function* only(bytes: Buffer) {
  yield bytes
}

/** `isSigned`: by this secret. */
export type FoundBackup = { id: string; manifest: Manifest; isSigned: boolean }

/**
 * Reads the manifest of a backup.
 * @throws BackupError when it is damaged, of another form, or says that it is another backup
 */
export async function readManifest(target: Target, id: string, authSecret: string | null): Promise<FoundBackup> {
  const name = manifestName(id)
  const bytes = await target.size(name)
  if (bytes === null) throw new BackupError(`${target.address} has no ${name}.`)
  if (bytes > MAX_BYTES) throw new BackupError(`${name} has ${bytes} bytes; no manifest is so large.`)
  const raw = parse(name, await text(await target.read(name)))
  const format = (raw.manifest as { format?: unknown } | undefined)?.format
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError(
      `${name} has the format ${format}: it was made by a newer Greenroom. Restore it with that one.`,
    )
  const found = manifest.safeParse(raw.manifest)
  if (!found.success) {
    const [issue] = found.error.issues
    throw new BackupError(`${name} is not a manifest: ${issue?.path.join('.')}: ${issue?.message}.`)
  }
  if (idOf(new Date(found.data.taken_at)) !== id)
    throw new BackupError(`${name} is the manifest of ${found.data.taken_at}: it was moved or altered.`)
  const given = Buffer.from(String(raw.signature ?? ''), 'hex')
  const expected = authSecret === null ? null : signatureOf(authSecret, raw.manifest)
  const isSigned = expected !== null && given.length === expected.length && timingSafeEqual(given, expected)
  return { id, manifest: found.data, isSigned }
}

function parse(name: string, content: string): { signature?: unknown; manifest?: unknown } {
  try {
    const value: unknown = JSON.parse(content)
    if (value !== null && typeof value === 'object') return value
  } catch {
    // Said below.
  }
  throw new BackupError(`${name} is not a manifest: it cannot be read as JSON.`)
}

/** The ids of complete backups, oldest first. */
export async function listBackups(target: Target): Promise<string[]> {
  const ids: string[] = []
  for await (const name of target.list()) {
    const [, id] = /^backups\/([^/]+)\/manifest\.json$/.exec(name) ?? []
    if (id) ids.push(id)
  }
  return ids.sort()
}
