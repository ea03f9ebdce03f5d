import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  TARGET_KINDS,
  type TargetKind,
  TRANSFER_STATUSES,
  type TransferStatus,
  VERIFICATIONS,
  type Verification,
} from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { batches, projects } from './projects'

/** A test of a target: what was done in turn, and what the target said where it failed. */
export type TargetTest = { at: string; steps: { step: string; ok: boolean; said: string }[] }

/** Where approved files are delivered to. */
export const deliveryTargets = pgTable(
  'delivery_targets',
  {
    id: id(),
    name: text().notNull(),
    kind: text().$type<TargetKind>().notNull(),
    /** Address and user, as its kind needs them. Nothing secret. */
    connection: json().$type<Record<string, unknown>>().notNull(),
    /** Its secrets as one JSON object, sealed. */
    secretsEncrypted: text(),
    namingTemplate: text().notNull(),
    verification: text().$type<Verification>().notNull().default('checksum'),
    /** Of an SFTP server: the fingerprint an administrator has trusted. */
    hostKey: text(),
    lastTest: json().$type<TargetTest>(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('delivery_targets_name_key').on(sql`lower(${t.name})`),
    check('delivery_targets_kind', isOneOf(t.kind, TARGET_KINDS)),
    check('delivery_targets_verification', isOneOf(t.verification, VERIFICATIONS)),
  ],
)

/** Approved files of a batch on their way to a target. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    /** Null: the target was removed since. */
    targetId: uuid().references(() => deliveryTargets.id, { onDelete: 'set null' }),
    targetName: text().notNull(),
    targetKind: text().$type<TargetKind>().notNull(),
    round: integer().notNull(),
    verification: text().$type<Verification>().notNull(),
    status: text().$type<TransferStatus>().notNull().default('queued'),
    /** Why it failed, or why it waits for another attempt. */
    reason: text(),
    /** Every attempt ever made; what a worker writes names the attempt it is of. */
    attempts: integer().notNull().default(0),
    /** Attempts since it was last begun by a person: the place in the schedule. */
    step: integer().notNull().default(0),
    /** While an attempt is under way: until when no other worker makes one. */
    leasedUntil: timestamptz(),
    nextAttemptAt: timestamptz(),
    finishedAt: timestamptz(),
    requestedBy: uuid().references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('deliveries_batch_id_newest_index').on(t.batchId, t.id),
    index('deliveries_target_id_index').on(t.targetId),
    check('deliveries_status', isOneOf(t.status, TRANSFER_STATUSES)),
    check('deliveries_target_kind', isOneOf(t.targetKind, TARGET_KINDS)),
    check('deliveries_verification', isOneOf(t.verification, VERIFICATIONS)),
  ],
)

/** One file of a delivery, and what proves that it arrived. */
export const deliveryFiles = pgTable(
  'delivery_files',
  {
    id: id(),
    deliveryId: uuid()
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    /** Null: the file was deleted since. */
    fileId: uuid().references(() => files.id, { onDelete: 'set null' }),
    position: integer().notNull(),
    name: text().notNull(),
    version: integer().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    /** Where it goes below the target, by its naming template. */
    path: text().notNull(),
    status: text().$type<TransferStatus>().notNull().default('queued'),
    reason: text(),
    bytesSent: bigint({ mode: 'number' }).notNull().default(0),
    /** Its place as the target names it. */
    place: text(),
    /** How it was verified, as a sentence. */
    proof: text(),
    deliveredAt: timestamptz(),
  },
  (t) => [
    uniqueIndex('delivery_files_delivery_id_position_key').on(t.deliveryId, t.position),
    index('delivery_files_file_id_index').on(t.fileId),
    // What earlier deliveries put at the same place.
    index('delivery_files_path_index').on(t.path).where(sql`status = 'delivered'`),
    check('delivery_files_status', isOneOf(t.status, TRANSFER_STATUSES)),
  ],
)
