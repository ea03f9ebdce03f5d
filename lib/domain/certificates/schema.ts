import { z } from 'zod'
import { RESULT_SUMMARIES } from '@/lib/vocabulary'
import { ref, timestamp, uuid } from '../kernel/shapes'

const sha256 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'Expected a SHA-256 as 64 hexadecimal characters')

const CertifiedFile = z.object({
  name: z.string(),
  version: z.int(),
  sha256: z.string(),
  size: z.int(),
  media_type: z.string(),
  approved_by: ref.nullable(),
  approved_at: timestamp.nullable(),
  pre_qc: z
    .object({
      summary: z.enum(RESULT_SUMMARIES).nullable(),
      profile_version: z.int(),
      waivers: z.array(z.object({ check_id: z.string(), reason: z.string(), by: z.string(), at: timestamp })),
    })
    .nullable(),
})

export const Statement = z.object({
  kind: z.literal('greenroom.batch-certificate'),
  version: z.literal(1),
  id: uuid,
  issued_at: timestamp,
  verification_url: z.string(),
  agency: ref,
  project: ref,
  batch: ref,
  round: z.int(),
  approved_at: timestamp.nullable(),
  files: z.array(CertifiedFile),
})
export type Statement = z.infer<typeof Statement>

export const Certificate = z
  .object({
    statement: Statement,
    algorithm: z.literal('Ed25519 over RFC 8785'),
    public_key: z.string().describe('SPKI, DER, base64'),
    key_id: z.string().describe('The first 16 bytes of the SHA-256 of the public key'),
    signature: z.string().describe('base64url'),
  })
  .meta({ id: 'Certificate' })
export type Certificate = z.infer<typeof Certificate>

export const VerifyFile = z.strictObject({ sha256 })

export const FileVerification = z
  .object({
    known: z.boolean(),
    approvals: z.array(
      z.object({
        batch: z.string().describe('Name of the batch'),
        approved_at: timestamp,
        certificate_id: uuid.nullable(),
      }),
    ),
  })
  .meta({ id: 'ApprovalVerdict' })
export type FileVerification = z.infer<typeof FileVerification>

export const PublicCertificate = z
  .object({
    id: uuid,
    agency: z.string(),
    project: z.string(),
    batch: z.string(),
    round: z.int(),
    files: z.int(),
    approved_at: timestamp.nullable(),
    issued_at: timestamp,
    is_valid: z.boolean().describe('The signature fits what is stored'),
    is_current: z.boolean().describe('The batch is still approved in this round'),
    key_id: z.string(),
  })
  .meta({ id: 'PublicCertificate' })
export type PublicCertificate = z.infer<typeof PublicCertificate>
