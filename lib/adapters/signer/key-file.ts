import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { keyIdOf } from '@/lib/domain/certificates/rules'

/**
 * Signs with a key that is stored in a file of the data folder (PKCS 8, readable for the owner only), made when it is first
 * needed. Several machines share a service by sharing this file.
 */
export function keyFileSigner(dataDir: string) {
  let key: KeyObject | undefined
  const privateKey = () => {
    key ??= createPrivateKey(storedKey(path.join(dataDir, 'certificate-key.pem')))
    return key
  }
  const publicKey = () => createPublicKey(privateKey()).export({ format: 'der', type: 'spki' }).toString('base64')
  return {
    sign: (text: string) => ({
      signature: sign(null, Buffer.from(text), privateKey()).toString('base64url'),
      keyId: keyIdOf(publicKey()),
    }),
    /** The key with this id; one that is not here any more cannot vouch for anything. */
    publicKeyOf: (keyId: string) => (keyIdOf(publicKey()) === keyId ? publicKey() : ''),
  }
}

function storedKey(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true })
    const draft = `${file}.${process.pid}`
    const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
    writeFileSync(draft, made, { mode: 0o600 })
    try {
      // A link never replaces: of two processes that start at once, both end up reading the same key.
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFileSync(file, 'utf8')
}
