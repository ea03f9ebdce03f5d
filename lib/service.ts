import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { database } from '@/db/client'
import type { Context } from '@/lib/domain/kernel/operation'
import type { Outside } from '@/lib/domain/kernel/ports'
import { react } from '@/lib/domain/reactions'

/** Where the parts are put together: the domain gets its database, its outside and its reactions here, and nowhere else. */

let outside: Outside | undefined

export function service(): { outside: Outside } {
  outside ??= assemble()
  return { outside }
}

function assemble(): Outside {
  return {
    blobs: undefined as never,
    inspect: undefined as never,
    secrets: secretsUnder(process.env.AUTH_SECRET ?? ''),
    baseUrl: (process.env.BASE_URL ?? 'http://localhost:3000').replace(/\/$/, ''),
    maxFileSize: 10 * 1024 ** 3,
  }
}

/** AES-256-GCM (NIST SP 800-38D) under a key derived from the service's secret; a fresh 96-bit nonce for each value. */
export function secretsUnder(secret: string): Outside['secrets'] {
  const key = Buffer.from(hkdfSync('sha256', secret, 'greenroom', 'upload link tokens', 32))
  return {
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** A context for somebody who asks: a request, a screen, a job. */
export function newContext(
  asked: Pick<Context, 'actor'> & Partial<Pick<Context, 'now' | 'requestId' | 'address' | 'ifMatch'>>,
): Context {
  return {
    actor: asked.actor,
    now: asked.now ?? new Date(),
    requestId: asked.requestId ?? 'internal',
    address: asked.address ?? null,
    ifMatch: asked.ifMatch ?? null,
    db: database().db,
    outside: service().outside,
    react,
  }
}
