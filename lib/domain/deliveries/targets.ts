import { desc, eq, lt, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { deliveries, deliveryTargets } from '@/db/schema/deliveries'
import { users } from '@/db/schema/directory'
import { refuseTaken } from '../kernel/database-errors'
import { type FieldError, invalidField, invalidState, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import type { InstantPorts } from '../kernel/ports'
import { findRow } from '../kernel/rows'
import { decodeCursor, iso, page, upTo } from '../kernel/shapes'
import type { ReachableTarget } from './port'
import { explainTemplate } from './rules'
import {
  type Connection,
  CreateDeliveryTarget,
  DeliveryTarget,
  DeliveryTargetList,
  ListDeliveryTargets,
  SECRET_NAMES,
  type SecretName,
  type TargetSecrets,
  TestedTarget,
  UpdateDeliveryTarget,
} from './schema'

/** Where approved files may be delivered to, and what administrators do with that. Secrets are stored sealed and never returned. */

export type TargetRow = typeof deliveryTargets.$inferSelect

const connectionOf = ({ connection }: Pick<TargetRow, 'connection'>) => connection as unknown as Connection

const secretsOf = (ports: InstantPorts, { secretsEncrypted }: Pick<TargetRow, 'secretsEncrypted'>): TargetSecrets =>
  secretsEncrypted === null ? {} : JSON.parse(ports.secrets.decrypt(secretsEncrypted))

/** The target with its secrets, for what connects to it. */
export const reachable = (ports: InstantPorts, target: TargetRow): ReachableTarget => ({
  connection: connectionOf(target),
  secrets: secretsOf(ports, target),
  hostKey: target.hostKey,
})

const present = (tx: Tx, row: TargetRow, creator: string): DeliveryTarget => ({
  id: row.id,
  name: row.name,
  connection: connectionOf(row),
  secrets_set: SECRET_NAMES.filter((name) => secretsOf(tx.ports, row)[name] !== undefined),
  naming_template: row.namingTemplate,
  verification: row.verification,
  host_key: row.hostKey,
  last_test: row.lastTest,
  created_by: { id: row.createdBy, name: creator },
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

const withCreator = (tx: Tx) =>
  tx.db
    .select({ target: deliveryTargets, creator: users.name })
    .from(deliveryTargets)
    .innerJoin(users, eq(users.id, deliveryTargets.createdBy))

async function serializeTarget(tx: Tx, id: string): Promise<DeliveryTarget> {
  const [row] = await withCreator(tx).where(eq(deliveryTargets.id, id))
  if (!row) throw new Error(`Delivery target ${id} vanished while it was read.`)
  return present(tx, row.target, row.creator)
}

const onTarget: Finder<'delivery_target_id', TargetRow> = {
  params: ['delivery_target_id'],
  find: (tx, { delivery_target_id }, lock) => findRow(tx, deliveryTargets, 'delivery target', delivery_target_id, lock),
}

export const listDeliveryTargets = query({
  name: 'listDeliveryTargets',
  summary: 'Where approved files may be delivered to, newest first',
  permission: 'settings.manage',
  input: ListDeliveryTargets,
  output: DeliveryTargetList,
  async run(tx, { input }) {
    const found = await withCreator(tx)
      .where(input.cursor ? lt(deliveryTargets.id, decodeCursor(input.cursor)) : undefined)
      .orderBy(desc(deliveryTargets.id))
      .limit(upTo(input.limit))
    const { rows, next_cursor } = page(
      found.map((row) => ({ ...row, id: row.target.id })),
      input.limit,
    )
    return { delivery_targets: rows.map(({ target, creator }) => present(tx, target, creator)), next_cursor }
  },
})

export const getDeliveryTarget = query({
  name: 'getDeliveryTarget',
  summary: 'One delivery target',
  permission: 'settings.manage',
  resource: onTarget,
  output: DeliveryTarget,
  isVersioned: true,
  run: (tx, { resource }) => serializeTarget(tx, resource.id),
})

const SECRETS_OF: Record<Connection['kind'], readonly SecretName[]> = {
  s3: ['secret_access_key'],
  sftp: ['password', 'private_key', 'passphrase'],
  webdav: ['password', 'token'],
  http_put: ['password', 'token'],
}

/** @throws `validation_failed` for an address nothing may be sent to, a wrong template, or secrets of another kind */
function assertUsable(tx: Tx, connection: Connection, secrets: TargetSecrets, template: string) {
  const wrong = tx.ports.deliveries.explainTarget(connection)
  if (wrong)
    throw invalidField(`connection.${wrong.field}`, 'invalid_target', `Nothing can be sent there: ${wrong.why}.`)
  const known = SECRETS_OF[connection.kind]
  const foreign = SECRET_NAMES.find((name) => secrets[name] !== undefined && !known.includes(name))
  if (foreign) {
    const message = `A target of the kind ${quote(connection.kind)} has no ${quote(foreign)}; it takes ${known.join(', ')}.`
    throw invalidField(`secrets.${foreign}`, 'unexpected', message)
  }
  if (connection.kind === 's3' && secrets.secret_access_key === undefined)
    throw invalidField('secrets.secret_access_key', 'missing', 'Give the secret access key of the bucket.')
  if (connection.kind === 'sftp' && secrets.password === undefined && secrets.private_key === undefined)
    throw invalidField('secrets.password', 'missing', 'Give the password of the SFTP account, or its private key.')
  const locked =
    secrets.private_key === undefined
      ? null
      : tx.ports.deliveries.explainPrivateKey(secrets.private_key, secrets.passphrase)
  if (locked) {
    const message =
      locked.field === 'passphrase'
        ? `Give the passphrase of the key: ${locked.why}.`
        : `This private key cannot be used: ${locked.why}. Paste the whole file, from “-----BEGIN” to “END …-----”.`
    throw invalidField(`secrets.${locked.field}`, 'invalid_key', message)
  }
  const fault = explainTemplate(template)
  if (fault) throw invalidField('naming_template', 'invalid_template', fault)
}

const seal = (tx: Tx, secrets: TargetSecrets) =>
  Object.keys(secrets).length === 0 ? null : tx.ports.secrets.encrypt(JSON.stringify(secrets))

/** What was stored, with what is given: null removes one. */
function withGiven(stored: TargetSecrets, given: Partial<Record<SecretName, string | null>>): TargetSecrets {
  const merged = SECRET_NAMES.flatMap((name) => {
    const value = given[name] === undefined ? stored[name] : given[name]
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(merged)
}

const TAKEN: Record<string, FieldError> = {
  delivery_targets_name_key: {
    path: 'name',
    code: 'duplicate',
    message: 'Another delivery target has this name. Choose another one.',
  },
}

export const createDeliveryTarget = command({
  name: 'createDeliveryTarget',
  summary: 'Add a place approved files may be delivered to: an S3 bucket, SFTP, WebDAV or HTTP PUT',
  permission: 'settings.manage',
  input: CreateDeliveryTarget,
  output: DeliveryTarget,
  created: ({ id }) => `/api/delivery-targets/${id}`,
  async run(tx, { input }) {
    if (tx.actor.type !== 'user') throw new Error('Delivery targets are added by people.')
    const { name, connection, naming_template, verification } = input
    const secrets = withGiven({}, input.secrets)
    assertUsable(tx, connection, secrets, naming_template)
    const id = newId(tx.now)
    const row = {
      id,
      name,
      kind: connection.kind,
      connection,
      secretsEncrypted: seal(tx, secrets),
      namingTemplate: naming_template,
      verification,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    await refuseTaken(tx.db.insert(deliveryTargets).values(row), TAKEN)
    await tx.record({
      type: 'delivery_target.created',
      subjectId: id,
      data: { name, connection, naming_template, verification },
    })
    return serializeTarget(tx, id)
  },
})

/** What decides where credentials go. */
function addressOf(connection: Connection): string {
  switch (connection.kind) {
    case 's3':
      return JSON.stringify([connection.endpoint, connection.region, connection.bucket])
    case 'sftp':
      return JSON.stringify([connection.host, connection.port])
    default:
      return connection.url
  }
}

export const updateDeliveryTarget = command({
  name: 'updateDeliveryTarget',
  summary: 'Change a delivery target, or trust the key that its SFTP server showed in a test',
  permission: 'settings.manage',
  resource: onTarget,
  input: UpdateDeliveryTarget,
  output: DeliveryTarget,
  conditional: (tx, on) => serializeTarget(tx, on.id),
  async run(tx, { resource: target, input }) {
    const connection = input.connection ?? connectionOf(target)
    if (connection.kind !== target.kind)
      throw invalidField(
        'connection.kind',
        'fixed',
        `This target is of the kind ${quote(target.kind)}. Add another for ${quote(connection.kind)}.`,
      )
    const isMoved = addressOf(connection) !== addressOf(connectionOf(target))
    // A user who may change the address must not get the secrets sent to one of their choice.
    const stored = isMoved ? {} : secretsOf(tx.ports, target)
    const secrets = withGiven(stored, input.secrets ?? {})
    const next = {
      name: input.name ?? target.name,
      connection,
      namingTemplate: input.naming_template ?? target.namingTemplate,
      verification: input.verification ?? target.verification,
      hostKey: input.host_key === undefined ? (isMoved ? null : target.hostKey) : input.host_key,
    }
    assertUsable(tx, connection, secrets, next.namingTemplate)
    assertHostKey(connection, next.hostKey)
    const sealed = input.secrets || isMoved ? seal(tx, secrets) : target.secretsEncrypted
    const changes = changesBetween({ ...target, connection: connectionOf(target) }, next)
    if (!changes && sealed === target.secretsEncrypted) return serializeTarget(tx, target.id)
    await refuseTaken(
      tx.db
        .update(deliveryTargets)
        .set({ ...next, secretsEncrypted: sealed, ...(isMoved && { lastTest: null }), updatedAt: tx.now })
        .where(eq(deliveryTargets.id, target.id)),
      TAKEN,
    )
    const secretsChanged = input.secrets ? Object.keys(input.secrets) : []
    await tx.record({
      type: 'delivery_target.updated',
      subjectId: target.id,
      data: { name: next.name, ...changes, secrets_changed: secretsChanged },
    })
    return serializeTarget(tx, target.id)
  },
})

function assertHostKey(connection: Connection, hostKey: string | null) {
  if (hostKey === null) return
  if (connection.kind !== 'sftp')
    throw invalidField('host_key', 'unexpected', 'Only an SFTP server has a key that is trusted by its fingerprint.')
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(hostKey))
    throw invalidField(
      'host_key',
      'invalid_format',
      `${quote(hostKey)} is no fingerprint. It looks like SHA256: and 43 characters, as “ssh-keygen -lf” writes it.`,
    )
}

type Tested = { steps: { step: string; ok: boolean; said: string }[]; hostKey: string | null; target: TargetRow }

export const testDeliveryTarget = command({
  name: 'testDeliveryTarget',
  summary: 'Write, read and delete a small file there; says which step failed and what the target said',
  permission: 'settings.manage',
  resource: onTarget,
  output: TestedTarget,
  async prepare(ctx, { resource: target }): Promise<Tested> {
    return { ...(await ctx.ports.deliveries.test(reachable(ctx.ports, target))), target }
  },
  async run(tx, { resource: target, prepared: { steps, hostKey, target: tested } }) {
    if (target.updatedAt.getTime() !== tested.updatedAt.getTime())
      throw invalidState('The target was changed while it was tested. Test it again.', 'changed', ['unchanged'])
    const ok = steps.every((step) => step.ok)
    await tx.db
      .update(deliveryTargets)
      .set({ lastTest: { at: iso(tx.now), steps } })
      .where(eq(deliveryTargets.id, target.id))
    await tx.record({
      type: 'delivery_target.tested',
      subjectId: target.id,
      data: { name: target.name, ok, steps, shown_host_key: hostKey },
    })
    return { ...(await serializeTarget(tx, target.id)), ok, shown_host_key: hostKey }
  },
})

export const deleteDeliveryTarget = command({
  name: 'deleteDeliveryTarget',
  summary: 'Remove a delivery target and its secrets; deliveries and their receipts stay',
  permission: 'settings.manage',
  resource: onTarget,
  output: DeliveryTarget,
  async run(tx, { resource: target }) {
    const [open] = await tx.db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(sql`${deliveries.targetId} = ${target.id} and ${deliveries.status} in ('queued', 'sending')`)
      .limit(1)
    if (open)
      throw invalidState(
        `A delivery to ${quote(target.name)} is under way. Wait until it has ended, or cancel it.`,
        'sending',
        ['delivered', 'failed', 'cancelled'],
      )
    const shown = await serializeTarget(tx, target.id)
    await tx.db.delete(deliveryTargets).where(eq(deliveryTargets.id, target.id))
    await tx.record({ type: 'delivery_target.deleted', subjectId: target.id, data: { name: target.name } })
    return shown
  },
})
