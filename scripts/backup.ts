// `npm run backup -- --to DIR|s3://bucket/prefix [--with-secrets]`: everything as it is now, see docs/backup.md.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { closeDatabase } from '@/db/client'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { env } from '@/lib/env'
import { backUp } from '@/lib/maintenance/backup/back-up'
import { targetAt } from '@/lib/maintenance/backup/choose-target'
import { progressLine, sizeOf } from '@/lib/maintenance/backup/progress'
import { BackupError } from '@/lib/maintenance/backup/target'
import { service } from '@/lib/service'
import { withDatabase } from '@/server/with-database'

try {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'with-secrets': { type: 'boolean', default: false } },
  })
  if (!values.to) throw new BackupError('Say where to: npm run backup -- --to DIR, or --to s3://bucket/prefix')
  const target = await targetAt(values.to, env)
  const began = performance.now()
  const { id, manifest, progress, missing } = await withDatabase({ dataDir: env.DATA_DIR, isAlone: false }, (url) => {
    return backUp({
      databaseUrl: url,
      blobs: service().ports.blobs,
      target,
      authSecret: env.AUTH_SECRET,
      version: JSON.parse(readFileSync('package.json', 'utf8')).version,
      withSecrets: values['with-secrets'],
      onProgress: progressLine(({ objects, copiedBytes }) => `${objects} objects, ${sizeOf(copiedBytes)} copied`),
    }).finally(closeDatabase)
  })
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    [
      `${values.to} holds the backup ${id}: everything up to ${manifest.taken_at}.`,
      `${rows} rows; ${manifest.objects.count} objects, ${sizeOf(manifest.objects.total_bytes)}, of which ${progress.copied} (${sizeOf(progress.copiedBytes)}) were copied and the others were there. ${((performance.now() - began) / 1000).toFixed(1)} s.`,
      values['with-secrets']
        ? 'AUTH_SECRET is in it: with read access to this backup one can sign in as any user.'
        : 'AUTH_SECRET is not in it. Keep it in another safe place; without it, links and keys in the backup cannot be opened.',
    ].join('\n'),
  )
  if (missing.length > 0) {
    console.error(
      [
        `${missing.length} objects are not in the backup, because the store does not have them as they were uploaded:`,
        ...missing.slice(0, 20),
        'See `npm run doctor`.',
      ].join('\n'),
    )
    process.exitCode = 1
  }
} catch (error) {
  const sentence =
    error instanceof StorageUnavailable ? error.explanation : error instanceof Error ? error.message : String(error)
  console.error(`No backup was made. ${sentence}`)
  process.exitCode = 1
}
