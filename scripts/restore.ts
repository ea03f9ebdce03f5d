// `npm run restore -- --from DIR|s3://bucket/prefix [--at TIME] [--check | --only-objects] [--keep-store] [--new-secret]`:
// a backup into an empty database and store, see docs/backup.md.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closeDatabase } from '@/db/client'
import { sumMonths } from '@/lib/domain/analytics/months'
import { foldAnalytics } from '@/lib/domain/analytics/notes'
import { verifyChain } from '@/lib/domain/audit/chain'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { env } from '@/lib/env'
import { targetAt } from '@/lib/maintenance/backup/choose-target'
import type { FoundBackup } from '@/lib/maintenance/backup/manifest'
import { progressLine, sizeOf } from '@/lib/maintenance/backup/progress'
import {
  chooseBackup,
  type Outcome,
  recordRestore,
  restore,
  restoreObjects,
  secretIn,
  verifyBackup,
} from '@/lib/maintenance/backup/restore'
import { BackupError, type Target } from '@/lib/maintenance/backup/target'
import { newContext } from '@/lib/service'
import { prepareDatabase } from '@/server/prepare-database'
import { withDatabase } from '@/server/with-database'

const flag = { type: 'boolean', default: false } as const
const secretFile = path.join(env.DATA_DIR, 'auth-secret')
const onProgress = progressLine(
  ({ objects, bytes }: { objects: number; bytes: number }) => `${objects} objects, ${sizeOf(bytes)} written`,
)

try {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      at: { type: 'string' },
      check: flag,
      'only-objects': flag,
      'keep-store': flag,
      'new-secret': flag,
    },
  })
  if (!values.from) throw new BackupError('Say where from: npm run restore -- --from DIR, or --from s3://bucket/prefix')
  const target = await targetAt(values.from, env)
  const { backup, included } = await findBackup(target, timeOf(values.at), values['new-secret'])
  console.log(`Backup ${backup.id}: everything up to ${backup.manifest.taken_at}.`)
  if (values.check) {
    const outcome = await verifyBackup({ target, backup, onProgress })
    report(
      outcome,
      `The backup is whole: ${outcome.there} objects and all rows have their hashes. Nothing was written.`,
    )
  } else if (values['only-objects']) {
    const outcome = await withDatabase({ dataDir: env.DATA_DIR, isAlone: false }, () => {
      return restoreObjects({ ctx: contextOf(), target, backup, onProgress }).finally(closeDatabase)
    })
    report(outcome, `${outcome.written} objects were put back (${sizeOf(outcome.bytes)}), ${outcome.there} were there.`)
  } else {
    await withDatabase({ dataDir: env.DATA_DIR, isAlone: true }, (url) => {
      if (included !== null) keepSecret(included)
      return restoreAll(url, target, backup, values)
    })
  }
} catch (error) {
  const sentence =
    error instanceof StorageUnavailable ? error.explanation : error instanceof Error ? error.message : String(error)
  console.error(sentence)
  process.exitCode = 1
}

async function restoreAll(
  url: string,
  target: Target,
  backup: FoundBackup,
  values: { 'keep-store': boolean; 'new-secret': boolean },
) {
  const began = performance.now()
  try {
    const outcome = await restore({
      ctx: contextOf(),
      databaseUrl: url,
      target,
      backup,
      dataDir: env.DATA_DIR,
      keepsStore: values['keep-store'],
      onProgress,
    })
    await prepareDatabase(env, url, { newSecret: values['new-secret'] })
    const ctx = contextOf()
    const { fault } = await verifyChain(ctx.db, ctx.now, { known: backup.manifest.audit_head })
    await recordRestore(ctx, backup, outcome)
    // Before the first question comes, which would compute what no worker has.
    await foldAnalytics(ctx)
    await sumMonths(ctx)
    const rows = backup.manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    report(
      outcome,
      `${rows} rows and ${outcome.written + outcome.there} objects are restored (${sizeOf(outcome.bytes)} copied, ${seconds} s). Start Greenroom, and run \`npm run doctor\`.`,
    )
    if (fault) {
      console.error(`The chain of the audit trail was broken before the backup was made: ${fault.reason}`)
      process.exitCode = 1
    }
  } finally {
    await closeDatabase()
  }
}

function contextOf() {
  return newContext({ actor: { type: 'system', name: 'Restore' }, requestId: 'restore' })
}

function report({ missing }: Outcome, sentence: string) {
  console.log(sentence)
  if (missing.length === 0) return
  console.error(
    [
      `${missing.length} objects were missing or damaged already when the backup was made:`,
      ...missing.slice(0, 20),
    ].join('\n'),
  )
  process.exitCode = 1
}

/** The manifest has to be signed by the secret that the restored service goes on with; `included`: that of the backup. */
async function findBackup(
  target: Target,
  at: Date | null,
  newSecret: boolean,
): Promise<{ backup: FoundBackup; included: string | null }> {
  const given = process.env.AUTH_SECRET?.trim() || existsSync(secretFile) ? env.AUTH_SECRET : null
  const found = await chooseBackup(target, { at, authSecret: given })
  if (found.isSigned || newSecret) return { backup: found, included: null }
  const included = given === null ? await secretIn(target, found) : null
  if (included !== null) {
    const backup = await chooseBackup(target, { at, authSecret: included })
    if (backup.isSigned) return { backup, included }
  }
  throw new BackupError(
    given === null
      ? `There is no AUTH_SECRET to open the backup ${found.id} with. Set the one that Greenroom ran with, or put its auth-secret into ${env.DATA_DIR}. If it is lost, add --new-secret: who altered the backup would then not be noticed, and links have to be made anew.`
      : `The manifest of the backup ${found.id} was not signed with this AUTH_SECRET: either the backup was altered, or Greenroom ran with another secret. Set that one; if it is lost, add --new-secret.`,
  )
}

function keepSecret(secret: string) {
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  console.log(`AUTH_SECRET was in the backup and is in ${secretFile} now.`)
}

function timeOf(given: string | undefined): Date | null {
  if (given === undefined) return null
  const time = new Date(given)
  if (!Number.isNaN(time.getTime())) return time
  throw new BackupError(`--at is “${given}”: expected a time such as 2026-11-23T10:00:00Z.`)
}
