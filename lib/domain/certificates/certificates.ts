import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { certificates } from '@/db/schema/certificates'
import { isTrue, newId } from '@/db/schema/columns'
import { agencies, preQcProfiles, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { type BatchInProject, onBatch } from '../batches/find'
import { assertApprovable } from '../files/rules'
import { invalidState, notFound } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { iso, isoOrNull, isUuid } from '../kernel/shapes'
import { canonical, isSignedByItsKey } from './rules'
import { Certificate, FileVerification, PublicCertificate, type Statement, VerifyFile } from './schema'
import { publicKeyOf, signText } from './signing-keys'

/** What was approved, signed: an approval is bound to bytes, and anybody who has the bytes can ask. */

type CertificateRow = typeof certificates.$inferSelect

const present = async (tx: Tx, row: CertificateRow): Promise<Certificate> => ({
  statement: row.statement as Statement,
  algorithm: 'Ed25519 over RFC 8785',
  public_key: await publicKeyOf(tx, row.keyId),
  key_id: row.keyId,
  signature: row.signature,
})

const newestOf = async (tx: Tx, batch: BatchInProject['batch']) =>
  (
    await tx.db
      .select()
      .from(certificates)
      .where(and(eq(certificates.batchId, batch.id), eq(certificates.round, batch.round)))
      .orderBy(desc(certificates.id))
      .limit(1)
  )[0]

/** The certificate of the batch as it is approved now; null: there is none. */
export async function certificateOf(tx: Tx, batch: BatchInProject['batch']): Promise<Certificate | null> {
  const row = batch.status === 'approved' ? await newestOf(tx, batch) : undefined
  return row ? present(tx, row) : null
}

export const issueCertificate = command({
  name: 'issueCertificate',
  summary: 'The certificate of an approved batch; made the first time it is asked for, and signed',
  permission: 'files.review',
  resource: onBatch,
  output: Certificate,
  async run(tx, { resource: { batch, project } }) {
    if (batch.status !== 'approved')
      throw invalidState('Only an approved batch has a certificate.', batch.status, ['approved'])
    const known = await newestOf(tx, batch)
    if (known) return present(tx, known)
    for (const file of await approvedRows(tx, batch.id)) assertApprovable(file)
    const [agency] = await tx.db
      .select({ id: agencies.id, name: agencies.name })
      .from(agencies)
      .where(eq(agencies.id, project.agencyId))
    if (!agency) throw new Error(`Project ${project.id} has no agency.`)
    const id = newId(tx.now)
    const statement: Statement = {
      kind: 'greenroom.batch-certificate',
      version: 1,
      id,
      issued_at: iso(tx.now),
      verification_url: `${tx.ports.baseUrl}/verify/${id}`,
      agency,
      project: { id: project.id, name: project.name },
      batch: { id: batch.id, name: batch.name },
      round: batch.round,
      approved_at: isoOrNull(batch.reviewedAt),
      files: await approvedFiles(tx, batch.id),
    }
    const { signature, keyId } = await signText(tx, canonical(statement))
    const row = { id, batchId: batch.id, round: batch.round, statement, signature, keyId, createdAt: tx.now }
    await tx.db.insert(certificates).values(row)
    await tx.record({
      type: 'certificate.issued',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: { name: batch.name, round: batch.round, files: statement.files.length, key_id: keyId },
    })
    return present(tx, row)
  },
})

export const getCertificate = query({
  name: 'getCertificate',
  summary: 'The certificate of the batch as it is approved now; 409 until one was issued',
  permission: 'projects.read',
  resource: onBatch,
  output: Certificate,
  isVersioned: true,
  async run(tx, { resource: { batch } }) {
    const certificate = await certificateOf(tx, batch)
    if (!certificate)
      throw invalidState(
        batch.status === 'approved'
          ? 'No certificate was issued yet. Issue it with POST on the same path.'
          : 'Only an approved batch has a certificate.',
        batch.status === 'approved' ? 'not_issued' : batch.status,
        ['issued'],
      )
    return certificate
  },
})

const isApprovedIn = (batchId: string) =>
  and(eq(files.batchId, batchId), isTrue(files.isCurrent), eq(files.decision, 'approved'))

const approvedRows = (tx: Tx, batchId: string) =>
  tx.db.select({ name: files.name, integrity: files.integrity }).from(files).where(isApprovedIn(batchId))

async function approvedFiles(tx: Tx, batchId: string): Promise<Statement['files']> {
  const rows = await tx.db
    .select({
      file: files,
      by: { id: users.id, name: users.name },
      result: preQcResults,
      profile: preQcProfiles.version,
    })
    .from(files)
    .leftJoin(users, eq(users.id, files.decidedBy))
    .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))
    .leftJoin(preQcProfiles, eq(preQcProfiles.id, preQcResults.profileId))
    .where(isApprovedIn(batchId))
    .orderBy(asc(files.nameKey))
  const waivers = await tx.db
    .select({ waiver: preQcWaivers, by: users.name })
    .from(preQcWaivers)
    .innerJoin(users, eq(users.id, preQcWaivers.createdBy))
    .where(
      inArray(
        preQcWaivers.resultId,
        rows.flatMap(({ result }) => (result ? [result.id] : [])),
      ),
    )
    .orderBy(asc(preQcWaivers.id))
  return rows.map(({ file, by, result, profile }) => ({
    name: file.name,
    version: file.version,
    sha256: file.sha256,
    size: file.size,
    media_type: file.mediaType,
    approved_by: by,
    approved_at: isoOrNull(file.decidedAt),
    pre_qc: result && {
      summary: result.summary,
      profile_version: profile ?? 0,
      waivers: waivers
        .filter(({ waiver }) => waiver.resultId === result.id)
        .map(({ waiver, by }) => ({ check_id: waiver.checkId, reason: waiver.reason, by, at: iso(waiver.createdAt) })),
    },
  }))
}

export const verifyFile = query({
  name: 'verifyFile',
  summary: 'Whether these bytes, named by their SHA-256, are an approved file; says only of which batch and since when',
  permission: 'anyone',
  input: VerifyFile,
  output: FileVerification,
  inputInBody: true,
  async run(tx, { input }) {
    await takeShared(tx, LIMITS.verifyFile, tx.address ?? 'unknown')
    const found = await tx.db
      .select({ batch: batches, approvedAt: files.decidedAt })
      .from(files)
      .innerJoin(batches, eq(batches.id, files.batchId))
      .where(
        and(
          eq(files.sha256, input.sha256),
          eq(files.decision, 'approved'),
          isTrue(files.isCurrent),
          eq(files.integrity, 'sound'),
          eq(batches.status, 'approved'),
        ),
      )
      .orderBy(desc(files.decidedAt))
      .limit(20)
    const approvals = []
    for (const { batch, approvedAt } of found) {
      const at = approvedAt ?? batch.reviewedAt
      const certificate = await newestOf(tx, batch)
      if (at) approvals.push({ batch: batch.name, approved_at: iso(at), certificate_id: certificate?.id ?? null })
    }
    return { known: approvals.length > 0, approvals }
  },
})

const onCertificate: Finder<'certificate_id', CertificateRow> = {
  params: ['certificate_id'],
  async find(tx, { certificate_id: id }) {
    const [row] = isUuid(id) ? await tx.db.select().from(certificates).where(eq(certificates.id, id)) : []
    if (!row) throw notFound('certificate')
    return row
  },
}

export const getPublicCertificate = query({
  name: 'getPublicCertificate',
  summary: 'What a certificate is about and whether it still holds; its address is the right to ask',
  permission: 'anyone',
  resource: onCertificate,
  output: PublicCertificate,
  async run(tx, { resource: row }) {
    const [batch] = await tx.db.select().from(batches).where(eq(batches.id, row.batchId))
    const certificate = await present(tx, row)
    const { agency, project, batch: named, approved_at, issued_at, files: certified } = certificate.statement
    return {
      id: row.id,
      agency: agency.name,
      project: project.name,
      batch: named.name,
      round: row.round,
      files: certified.length,
      approved_at,
      issued_at,
      is_valid: isSignedByItsKey(certificate),
      is_current: batch?.status === 'approved' && batch.round === row.round,
      key_id: row.keyId,
    }
  },
})
