import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import type { Database, Executor } from '@/db/client'
import { signingKeys } from '@/db/schema/certificates'
import type { Tx } from '../kernel/operation'
import type { Secrets } from '../kernel/ports'
import { keyIdOf } from './rules'

/**
 * The keys that sign certificates (Ed25519, RFC 8032). They are in the database, so that every machine signs with the same
 * one; the private part is encrypted under AUTH_SECRET. The newest that can be decrypted signs. A former key stays, because
 * its public part vouches for the certificates it signed.
 */

type Key = { id: string; privateKey: KeyObject }

/** No key can be decrypted, so AUTH_SECRET is another than the one that this database was used with. */
export class WrongSecret extends Error {
  override readonly name = 'WrongSecret'
  constructor() {
    super(
      'AUTH_SECRET is not the one that this database was used with. Set the one that the other machines use; without one ' +
        'of your own it is in the file auth-secret of the first data folder. If it is lost: `npm run migrate -- --new-secret` ' +
        'goes on with this one. All users sign in again then, and the addresses of existing links can no longer be shown.',
    )
  }
}

/** `text` signed with the key of this service: base64url, and the id of the key. */
export async function signText(tx: Pick<Tx, 'db' | 'ports'>, text: string) {
  const key = await findOrMakeKey(tx.db, tx.ports.secrets)
  return { signature: sign(null, Buffer.from(text), key.privateKey).toString('base64url'), keyId: key.id }
}

/** SPKI, DER, base64; empty for a key that is not here: it cannot vouch for anything. */
export async function publicKeyOf(tx: Pick<Tx, 'db'>, keyId: string): Promise<string> {
  const [row] = await tx.db
    .select({ publicKey: signingKeys.publicKey })
    .from(signingKeys)
    .where(eq(signingKeys.id, keyId))
  return row?.publicKey ?? ''
}

/**
 * Run by every start, after the migrations: makes the first key, and adopts `former`, the key file (PKCS 8, PEM) of a version
 * that had it in the data folder. Throws WrongSecret where keys exist and none can be decrypted, unless `newSecret` says that
 * the secret was replaced.
 */
export async function prepareSigningKeys(
  db: Database,
  secrets: Secrets,
  { former = null, newSecret = false }: { former?: string | null; newSecret?: boolean } = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    if (former) await store(tx, secrets, createPrivateKey(former))
    await findOrMakeKey(tx, secrets, newSecret)
  })
}

/** Inside a transaction: of two that find none at the same time, one makes it. */
async function findOrMakeKey(db: Executor, secrets: Secrets, newSecret = false): Promise<Key> {
  const known = await currentKey(db, secrets)
  if (known) return known
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('greenroom signing keys'))`)
  const made = await currentKey(db, secrets)
  if (made) return made
  const [other] = await db.select({ id: signingKeys.id }).from(signingKeys).limit(1)
  if (other && !newSecret) throw new WrongSecret()
  return store(db, secrets, generateKeyPairSync('ed25519').privateKey)
}

async function store(db: Executor, secrets: Secrets, privateKey: KeyObject): Promise<Key> {
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const row = { id: keyIdOf(publicKey), publicKey, privateKeyEncrypted: secrets.encrypt(pem) }
  await db.insert(signingKeys).values(row).onConflictDoNothing()
  return { id: row.id, privateKey }
}

async function currentKey(db: Executor, secrets: Secrets): Promise<Key | null> {
  const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), desc(signingKeys.id))
  for (const row of rows) {
    const pem = decrypted(secrets, row.privateKeyEncrypted)
    if (pem) return { id: row.id, privateKey: createPrivateKey(pem) }
  }
  return null
}

function decrypted(secrets: Secrets, text: string): string | null {
  try {
    return secrets.decrypt(text)
  } catch {
    return null
  }
}
