import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Certificate } from './schema'

/** RFC 8785 for what statements hold (text, whole numbers, true, false, null): sorted keys, no spaces. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)
      .join(',')}}`
  }
  return JSON.stringify(value)
}

/** SHA-256 over the public key (SPKI, DER), its first 16 bytes as hexadecimal: what people compare. */
export const keyIdOf = (publicKey: string) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32)

/** Whether the statement is what was signed by the key that the certificate carries (Ed25519, RFC 8032). */
export function isSignedByItsKey({ statement, signature, public_key, key_id }: Certificate): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
    const isEd25519 = key.asymmetricKeyType === 'ed25519' && keyIdOf(public_key) === key_id
    return isEd25519 && verify(null, Buffer.from(canonical(statement)), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
