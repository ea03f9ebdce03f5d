import { z } from 'zod'
import { TARGET_KINDS, TRANSFER_STATUSES, VERIFICATIONS } from '@/lib/vocabulary'
import { line, listOf, paging, ref, text, timestamp, uuid } from '../kernel/shapes'

const url = text(1000).trim().min(1)
/** Folders below which everything is put. */
const folder = text(300).trim().default('')

const S3 = z.strictObject({
  kind: z.literal('s3'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket has 3 to 63 lower-case letters, digits, dots and hyphens'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'a region has lower-case letters, digits and hyphens, such as eu-central-1')
    .default('us-east-1'),
  endpoint: url.nullable().default(null).describe('Null: Amazon’s own'),
  prefix: folder,
  access_key_id: line(200),
})

const Sftp = z.strictObject({
  kind: z.literal('sftp'),
  host: line(253),
  port: z.int().min(1).max(65535).default(22),
  user: line(200),
  folder: folder.describe('Begins with / for a path from the root, else below the home folder'),
})

const WebDav = z.strictObject({
  kind: z.literal('webdav'),
  url,
  user: text(200).trim().default('').describe('Empty: the token is sent, or nothing'),
})

const HttpPut = z.strictObject({
  kind: z.literal('http_put'),
  url,
  user: text(200).trim().default('').describe('Empty: the token is sent, or nothing'),
})

export const Connection = z.discriminatedUnion('kind', [S3, Sftp, WebDav, HttpPut])
export type Connection = z.infer<typeof Connection>

export const SECRET_NAMES = ['secret_access_key', 'password', 'private_key', 'passphrase', 'token'] as const
export type SecretName = (typeof SECRET_NAMES)[number]
export type TargetSecrets = Partial<Record<SecretName, string>>

const secret = (max: number) => text(max).min(1).nullable().optional()
const NewSecrets = z
  .strictObject({
    secret_access_key: secret(500).describe('Of an S3 bucket'),
    password: secret(500).describe('Of SFTP, WebDAV and HTTP PUT'),
    private_key: secret(20_000).describe('Of SFTP: OpenSSH or PEM'),
    passphrase: secret(500).describe('Of the private key'),
    token: secret(4000).describe('Of WebDAV and HTTP PUT: sent as Authorization: Bearer'),
  })
  .describe('Stored sealed and never returned; null removes one')

const template = text(300).trim().min(1).describe('Where files are put, such as {project}/{batch}/{file}')

const TargetTestResult = z.object({
  at: timestamp,
  steps: z.array(z.object({ step: z.string(), ok: z.boolean(), said: z.string() })),
})

export const DeliveryTarget = z
  .object({
    id: uuid,
    name: z.string(),
    connection: Connection,
    secrets_set: z.array(z.enum(SECRET_NAMES)).describe('Which secrets are stored; they are never returned'),
    naming_template: z.string(),
    verification: z.enum(VERIFICATIONS),
    host_key: z.string().nullable().describe('Of an SFTP server: the fingerprint that is trusted'),
    last_test: TargetTestResult.nullable(),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DeliveryTarget' })
export type DeliveryTarget = z.infer<typeof DeliveryTarget>

export const DeliveryTargetList = listOf('delivery_targets', DeliveryTarget).meta({ id: 'DeliveryTargetList' })
export const ListDeliveryTargets = z.strictObject(paging)

export const CreateDeliveryTarget = z.strictObject({
  name: line(100),
  connection: Connection,
  secrets: NewSecrets.default({}),
  naming_template: template.default('{project}/{batch}/{file}'),
  verification: z.enum(VERIFICATIONS).default('checksum'),
})

export const UpdateDeliveryTarget = z.strictObject({
  name: line(100).optional(),
  connection: Connection.optional().describe('Of the kind it is; a new address needs the secrets again'),
  secrets: NewSecrets.optional(),
  naming_template: template.optional(),
  verification: z.enum(VERIFICATIONS).optional(),
  host_key: text(100).nullable().optional().describe('The fingerprint to trust: the one that a test showed'),
})

export const TestedTarget = DeliveryTarget.extend({
  ok: z.boolean(),
  shown_host_key: z
    .string()
    .nullable()
    .describe('What an SFTP server showed that is not trusted; compare it with what its operator says, then trust it'),
}).meta({ id: 'TestedTarget' })
export type TestedTarget = z.infer<typeof TestedTarget>

/** As many files are named, or listed to choose from. */
export const MOST_CHOSEN = 5_000

export const FileChoice = z
  .array(uuid)
  .min(1)
  .max(MOST_CHOSEN)
  .transform((ids) => [...new Set(ids)])
  .optional()
  .describe('Without it: every approved file of the batch')

export const DeliverableFiles = z
  .object({
    files: z.array(
      z.object({
        file: ref,
        version: z.int(),
        size: z.int(),
        why: z.string().nullable().describe('Why it cannot be delivered now; null: it can'),
      }),
    ),
    total: z.int().describe(`Current files of the batch; the first ${MOST_CHOSEN} are listed`),
  })
  .meta({ id: 'DeliverableFiles' })

export const PreviewDelivery = z.strictObject({ target_id: uuid, file_ids: FileChoice })

export const RequestDelivery = z.strictObject({
  target_id: uuid,
  file_ids: FileChoice,
  leave_out_others: z.boolean().default(false).describe('Deliver what is approved though other files are not'),
})

export const DeliveryPreview = z
  .object({
    files: z.array(z.object({ file: ref, version: z.int(), size: z.int(), path: z.string() })),
    left_out: z.array(z.object({ file: ref, why: z.string() })).describe('Files that are not delivered'),
    problems: z.array(z.string()).describe('What has to be settled first, such as two files of one path'),
    replaces: z
      .array(z.object({ path: z.string(), at: timestamp }))
      .describe('Paths at which an earlier delivery left other bytes; they are overwritten'),
  })
  .meta({ id: 'DeliveryPreview' })
export type DeliveryPreview = z.infer<typeof DeliveryPreview>

export const DeliveryChoices = z
  .object({ targets: z.array(z.object({ id: uuid, name: z.string(), kind: z.enum(TARGET_KINDS) })) })
  .meta({ id: 'DeliveryChoices' })
export type DeliveryChoices = z.infer<typeof DeliveryChoices>

const DeliveredFile = z.object({
  file_id: uuid.nullable(),
  name: z.string(),
  version: z.int(),
  path: z.string().describe('Below the target'),
  place: z.string().nullable().describe('As the target names it'),
  size: z.int(),
  sha256: z.string(),
  status: z.enum(TRANSFER_STATUSES),
  bytes_sent: z.int(),
  reason: z.string().nullable(),
  proof: z.string().nullable().describe('How it was verified after it was sent'),
  delivered_at: timestamp.nullable(),
})

export const Delivery = z
  .object({
    id: uuid,
    project_id: uuid,
    batch_id: uuid,
    target: z.object({ id: uuid.nullable(), name: z.string(), kind: z.enum(TARGET_KINDS) }),
    round: z.int(),
    verification: z.enum(VERIFICATIONS),
    status: z.enum(TRANSFER_STATUSES),
    reason: z.string().nullable().describe('Why it failed, or waits for another attempt'),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable(),
    counts: z.object({ files: z.int(), delivered: z.int(), bytes: z.int(), bytes_sent: z.int() }),
    requested_by: ref.nullable(),
    finished_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

export const FullDelivery = Delivery.extend({ files: z.array(DeliveredFile) }).meta({ id: 'FullDelivery' })
export type FullDelivery = z.infer<typeof FullDelivery>

export const DeliveryList = listOf('deliveries', Delivery).meta({ id: 'DeliveryList' })
export const ListDeliveries = z.strictObject(paging)

export const ReceiptFormat = z.strictObject({ format: text(20).default('json').describe('json or csv') })

export const DeliveryReceipt = z
  .object({
    kind: z.literal('greenroom.delivery-receipt'),
    version: z.literal(1),
    delivery_id: uuid,
    project: z.string(),
    batch: z.string(),
    round: z.int(),
    target: z.object({ name: z.string(), kind: z.enum(TARGET_KINDS) }),
    status: z.enum(TRANSFER_STATUSES),
    requested_by: z.string().nullable(),
    requested_at: timestamp,
    finished_at: timestamp.nullable(),
    files: z.array(DeliveredFile),
  })
  .meta({ id: 'DeliveryReceipt' })
export type DeliveryReceipt = z.infer<typeof DeliveryReceipt>
