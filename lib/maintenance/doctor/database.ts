import { desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { appliedMigrations, knownMigrations } from '@/db/migrate'
import { certificates, scorecardLinks, signingKeys } from '@/db/schema/certificates'
import { deliveryTargets } from '@/db/schema/deliveries'
import { uploadLinks } from '@/db/schema/upload-links'
import { webhooks } from '@/db/schema/webhooks'
import { verifyChain } from '@/lib/domain/audit/chain'
import { storedHead } from '@/lib/jobs/seal-audit'
import { type Check, counted, ok } from './check'

/** How many of each kind of sealed value are opened: one secret has sealed them all, unless it was changed. */
const OPENED = 20

export const databaseResponds: Check = {
  id: 'database',
  needsDatabase: false,
  async examine({ ctx }) {
    const [row] = await ctx.db.execute<{ version: string; size: string }>(
      sql`select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    return ok(`PostgreSQL ${row?.version}, ${row?.size}`)
  },
}

export const migrations: Check = {
  id: 'migrations',
  needsDatabase: true,
  async examine({ ctx }) {
    const known = knownMigrations()
    const applied = await appliedMigrations(ctx.db)
    const times = new Set(known.map(({ madeAt }) => madeAt))
    const unknown = applied.filter(({ madeAt }) => !times.has(madeAt)).length
    if (unknown > 0)
      return {
        status: 'problem',
        value: `${counted(unknown, 'migration')} of a newer version`,
        fix: 'Run the version of Greenroom that the database was migrated by, or a newer one.',
      }
    const missing = known.length - applied.length
    if (missing === 0) return ok(`all ${known.length} applied`)
    const value = `${missing} of ${known.length} not applied`
    return { status: 'problem', value, fix: '`npm run migrate`; `npm start` does it, too.' }
  },
}

export const audit: Check = {
  id: 'audit',
  needsDatabase: true,
  async examine({ ctx }) {
    const { sealed, unsealed, fault } = await verifyChain(ctx.db, ctx.now, {
      known: await storedHead(ctx.ports.blobs),
    })
    if (!fault) return ok(`whole: ${counted(sealed, 'event')} sealed, ${unsealed} too new to be`)
    const where = [fault.position && `seal ${fault.position}`, fault.event_id && `event ${fault.event_id}`]
    return {
      status: 'problem',
      value: 'the chain was altered',
      details: [`${where.filter(Boolean).join(', ') || 'The chain'}: ${fault.reason}`],
      fix: 'A person, or a restore, went past the product: compare with a backup of before, and find out who had access to the database.',
    }
  },
}

/** Stored links, keys, and the secrets of webhooks can be read by the secret they were sealed with and by no other. */
export const secrets: Check = {
  id: 'secrets',
  needsDatabase: true,
  async examine({ ctx }) {
    const sealed = await readSealed(ctx.db)
    const closed = sealed.filter(({ value }) => {
      try {
        ctx.ports.secrets.decrypt(value)
        return false
      } catch {
        return true
      }
    })
    const unknown = await ctx.db
      .selectDistinct({ id: certificates.keyId })
      .from(certificates)
      .leftJoin(signingKeys, eq(signingKeys.id, certificates.keyId))
      .where(isNull(signingKeys.id))
    if (closed.length + unknown.length === 0) return ok(`AUTH_SECRET opens what is sealed (${sealed.length} tried)`)
    return {
      status: 'problem',
      value: [
        ...(closed.length > 0 ? [`${closed.length} of ${sealed.length} sealed values cannot be opened`] : []),
        ...(unknown.length > 0 ? ['certificates were signed by a key that is gone'] : []),
      ].join('; '),
      details: [
        ...closed.map(({ what, id }) => `${what} ${id}: sealed under another AUTH_SECRET`),
        ...unknown.map(({ id }) => `The key ${id} of certificates is not in the table signing_keys`),
      ],
      fix: 'Set the AUTH_SECRET that the database was used with (or put that auth-secret into DATA_DIR). Without it, make new links, rotate the secrets of webhooks, and give delivery targets theirs again.',
    }
  },
}

type Sealed = { what: string; id: string; value: string }

async function readSealed(db: Executor): Promise<Sealed[]> {
  const links = await db
    .select({ id: uploadLinks.id, value: uploadLinks.tokenEncrypted })
    .from(uploadLinks)
    .orderBy(desc(uploadLinks.id))
    .limit(OPENED)
  const cards = await db
    .select({ id: scorecardLinks.id, value: scorecardLinks.tokenEncrypted })
    .from(scorecardLinks)
    .orderBy(desc(scorecardLinks.id))
    .limit(OPENED)
  const hooks = await db
    .select({ id: webhooks.id, value: webhooks.secretEncrypted })
    .from(webhooks)
    .orderBy(desc(webhooks.id))
    .limit(OPENED)
  const targets = await db
    .select({ id: deliveryTargets.id, value: sql<string>`${deliveryTargets.secretsEncrypted}` })
    .from(deliveryTargets)
    .where(isNotNull(deliveryTargets.secretsEncrypted))
    .orderBy(desc(deliveryTargets.id))
    .limit(OPENED)
  const keys = await db
    .select({ id: signingKeys.id, value: signingKeys.privateKeyEncrypted })
    .from(signingKeys)
    .orderBy(desc(signingKeys.createdAt))
    .limit(1)
  const of = (what: string, rows: { id: string; value: string }[]) => rows.map((row) => ({ what, ...row }))
  return [
    ...of('Signing key', keys),
    ...of('Upload link', links),
    ...of('Scorecard link', cards),
    ...of('Webhook', hooks),
    ...of('Delivery target', targets),
  ]
}
