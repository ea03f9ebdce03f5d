import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { certificates } from '@/db/schema/certificates'
import { files } from '@/db/schema/files'
import { preQcWaivers } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser, type UserRow } from '@/fixtures/factories'
import { renderCertificate } from '@/lib/pdf/render-certificate'
import { readPdf } from '@/lib/pdf/testing'
import { as, eventsAbout, expectRefusal } from '../testing'
import { getCertificate, getPublicCertificate, issueCertificate, verifyFile } from './certificates'
import { canonical, isSignedByItsKey } from './rules'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-certificates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const bytes = Buffer.from('the very bytes')
const sha256 = createHash('sha256').update(bytes).digest('hex')

async function approved(given: object = {}) {
  const operator = await makeUser({ role: 'operator', name: 'Olga “O” Ü' })
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({
    projectId: project.id,
    status: 'approved',
    round: 2,
    reviewedAt: new Date(),
    ...given,
  })
  const decided = { decision: 'approved', decidedBy: operator.id, decidedAt: new Date() } as const
  const file = await makeFile(batch, { name: 'banner.png', sha256, ...decided })
  await makeFile(batch, { name: 'old.png', decision: 'rejected' })
  const result = await makeResult(file, { summary: 'pass' })
  await testDb
    .insert(preQcWaivers)
    .values({ resultId: result.id, checkId: 'blank_check', reason: 'It is white on purpose.', createdBy: operator.id })
  const path = { project_id: project.id, batch_id: batch.id }
  return { operator, batch, path, issue: () => issueCertificate.execute(as(operator), path) }
}

const ask = (hash: string) => verifyFile.execute(as('anonymous'), {}, { sha256: hash })

describe('a certificate', () => {
  it('names every approved file by its bytes, who approved it and what was waived, and is signed', async () => {
    const { issue, operator, batch, path } = await approved()
    const certificate = await issue()
    expect(certificate.statement.files).toMatchObject([
      {
        name: 'banner.png',
        sha256,
        approved_by: { id: operator.id, name: operator.name },
        pre_qc: { profile_version: 2, waivers: [{ check_id: 'blank_check', reason: 'It is white on purpose.' }] },
      },
    ])
    expect(isSignedByItsKey(certificate)).toBe(true)
    expect(await issue()).toEqual(certificate)
    expect(await getCertificate.execute(as(operator), path)).toEqual(certificate)
    expect((await eventsAbout(certificate.statement.id)).map(({ type }) => type)).toEqual(['certificate.issued'])

    await testDb.update(batches).set({ round: 3 }).where(eq(batches.id, batch.id))
    expect((await issue()).statement.id).not.toBe(certificate.statement.id)
  })

  it('is not what was signed once anything in it differs', async () => {
    const { issue } = await approved()
    const certificate = await issue()
    const { statement } = certificate
    const [file] = statement.files
    if (!file) throw new Error('No file.')
    const another = generateKeyPairSync('ed25519')
    const signature = sign(null, Buffer.from(canonical(statement)), another.privateKey).toString('base64url')
    const publicKey = another.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    for (const changed of [
      { ...certificate, statement: { ...statement, files: [{ ...file, sha256: '0'.repeat(64) }] } },
      { ...certificate, statement: { ...statement, files: [] } },
      { ...certificate, signature },
      { ...certificate, public_key: publicKey },
      { ...certificate, public_key: 'no key', signature: '' },
    ])
      expect(isSignedByItsKey(changed)).toBe(false)
  })

  it('is only for an approved batch, and only for those who see it', async () => {
    const { operator, path, issue } = await approved({ status: 'in_review' })
    await expectRefusal(issue(), 'invalid_state')
    await expectRefusal(getCertificate.execute(as(operator), path), 'invalid_state')
    const stranger: UserRow = await makeUser({ role: 'coordinator' })
    await expectRefusal(issueCertificate.execute(as(stranger), path), 'not_found')
  })

  it.each(['pending', 'quarantined'] as const)('is not issued while an approved file is %s', async (integrity) => {
    const { batch, path, operator, issue } = await approved()
    const decided = { decision: 'approved', decidedBy: operator.id, decidedAt: new Date() } as const
    const file = await makeFile(batch, { name: 'unsettled.png', ...decided, integrity })
    expect((await expectRefusal(issue(), 'integrity_unsettled')).detail).toContain('unsettled.png')
    await expectRefusal(getCertificate.execute(as(operator), path), 'invalid_state')
    await testDb.update(files).set({ integrity: 'sound' }).where(eq(files.id, file.id))
    expect((await issue()).statement.files).toHaveLength(2)
  })

  it('says on its public page whether it still holds, and nothing of its files', async () => {
    const { issue, batch } = await approved()
    const { statement } = await issue()
    const show = () => getPublicCertificate.execute(as('anonymous'), { certificate_id: statement.id })
    expect(await show()).toMatchObject({ batch: batch.name, files: 1, is_valid: true, is_current: true })
    expect(JSON.stringify(await show())).not.toContain('banner.png')
    await testDb.update(batches).set({ status: 'in_review', round: 3 }).where(eq(batches.id, batch.id))
    expect(await show()).toMatchObject({ is_valid: true, is_current: false })
    await testDb
      .update(certificates)
      .set({ statement: { ...statement, round: 9 } })
      .where(eq(certificates.id, statement.id))
    expect((await show()).is_valid).toBe(false)
    const unknown = getPublicCertificate.execute(as('anonymous'), { certificate_id: batch.id })
    await expectRefusal(unknown, 'not_found')
  })

  it('is drawn with every hash and a code to its page', async () => {
    const certificate = await (await approved()).issue()
    const { pages } = await readPdf(await renderCertificate(certificate))
    const all = JSON.stringify(pages)
    for (const part of [sha256, 'banner.png', 'white on purpose', certificate.key_id]) expect(all).toContain(part)
  })

  it('is checked against files on the command line, without a Greenroom', async () => {
    const certificate = await (await approved()).issue()
    const at = (name: string, content: string | Buffer) => {
      writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    }
    const good = at('certificate.json', JSON.stringify(certificate))
    const bad = at('forged.json', JSON.stringify({ ...certificate, statement: { ...certificate.statement, round: 7 } }))
    const file = at('renamed.png', bytes)
    const other = at('other.png', 'other bytes')
    const run = (...args: string[]) => {
      try {
        return {
          code: 0,
          out: execFileSync('node_modules/.bin/tsx', ['scripts/verify.ts', ...args], {
            encoding: 'utf8',
            stdio: 'pipe',
          }),
        }
      } catch (error) {
        const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
        return { code: status, out: stdout + stderr }
      }
    }
    expect(run(good, file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('renamed.png: approved as banner.png'),
    })
    expect(run(good, file, other)).toMatchObject({ code: 1, out: expect.stringContaining('other.png: unknown') })
    expect(run(bad, file)).toMatchObject({ code: 1, out: expect.stringContaining('was changed after it was signed') })
  })
})

describe('asking whether a file is approved', () => {
  it('is found by hash alone, with batch and time, or “unknown”', async () => {
    const { issue, batch } = await approved()
    const { statement } = await issue()
    const result = await ask(sha256.toUpperCase())
    expect(result.known).toBe(true)
    expect(result.approvals).toContainEqual({
      batch: batch.name,
      approved_at: expect.any(String),
      certificate_id: statement.id,
    })
    expect(await ask('0'.repeat(64))).toEqual({ known: false, approvals: [] })
    await expectRefusal(ask('abc'), 'validation_failed', ['sha256'])
  })

  it('knows nothing of files that were rejected, replaced, or whose batch is under review', async () => {
    const [rejected, replaced, pending] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string]
    const batch = await makeBatch({ status: 'approved' })
    await makeFile(batch, { sha256: rejected, decision: 'rejected' })
    await makeFile(batch, { sha256: replaced, decision: 'approved', isCurrent: false, decidedAt: new Date() })
    const open = await makeBatch({ status: 'in_review' })
    await makeFile(open, { sha256: pending, decision: 'approved', decidedAt: new Date() })
    for (const hash of [rejected, replaced, pending]) expect((await ask(hash)).known).toBe(false)
  })
})
