import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { database } from '@/db/client'
import { signingKeys } from '@/db/schema/certificates'
import { testDb } from '@/db/testing'
import { secretsUnder } from '@/lib/adapters/secrets'
import { inTransaction } from '../kernel/operation'
import { as } from '../testing'
import { keyIdOf } from './rules'
import { prepareSigningKeys, publicKeyOf, signText, WrongSecret } from './signing-keys'

const secrets = secretsUnder('a secret that all machines of one service have')
const others = secretsUnder('a secret that was typed on another machine')
const sign = (given = secrets) =>
  inTransaction(as('system', { ports: { secrets: given } }), (tx) => signText(tx, 'text'))

beforeEach(async () => {
  await testDb.delete(signingKeys)
})

test('machines that start at the same moment, with nothing on their disks, sign with the same key', async () => {
  await Promise.all(Array.from({ length: 8 }, () => prepareSigningKeys(database().db, secrets)))
  const signed = await Promise.all(Array.from({ length: 8 }, () => sign()))
  expect(await testDb.select().from(signingKeys)).toHaveLength(1)
  expect(new Set(signed.map(({ keyId, signature }) => keyId + signature)).size).toBe(1)
  expect(keyIdOf(await publicKeyOf({ db: database().db }, signed[0]?.keyId ?? ''))).toBe(signed[0]?.keyId)
})

test('the private part cannot be read from the database', async () => {
  await prepareSigningKeys(database().db, secrets)
  expect(JSON.stringify(await testDb.select().from(signingKeys))).not.toContain('PRIVATE KEY')
})

test('another AUTH_SECRET is refused, at the start and when signing, until it is said to be the new one', async () => {
  await prepareSigningKeys(database().db, secrets)
  const { keyId } = await sign()
  await expect(prepareSigningKeys(database().db, others)).rejects.toThrow(WrongSecret)
  await expect(sign(others)).rejects.toThrow(WrongSecret)
  await prepareSigningKeys(database().db, others, { newSecret: true })
  expect((await sign(others)).keyId).not.toBe(keyId)
  // What the former one signed is still known to be ours.
  expect(await publicKeyOf({ db: database().db }, keyId)).not.toBe('')
})

test('the key file of a former version is taken over once, and goes on signing', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const former = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const _ of [1, 2]) await prepareSigningKeys(database().db, secrets, { former })
  const { keyId } = await sign()
  expect(await publicKeyOf({ db: database().db }, keyId)).toBe(
    publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  )
  expect(await testDb.select().from(signingKeys)).toHaveLength(1)
})

test('a key that is not here vouches for nothing', async () => {
  expect(await publicKeyOf({ db: database().db }, '0'.repeat(32))).toBe('')
})
