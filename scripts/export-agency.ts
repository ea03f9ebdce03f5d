// `npm run export -- --agency CODE --to FOLDER [--dry-run]`: everything of one agency, see docs/backup.md.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closeDatabase, createDatabase } from '@/db/client'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { env } from '@/lib/env'
import { formatBytes, formatCount } from '@/lib/format'
import { ExportError, exportAgency, findAgency, previewExport } from '@/lib/maintenance/export-agency'
import { newContext } from '@/lib/service'
import { withDatabase } from '@/server/with-database'

try {
  const { values } = parseArgs({
    options: {
      agency: { type: 'string' },
      to: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const { agency: wanted, to } = values
  if (!wanted) throw new ExportError('Say which agency: npm run export -- --agency CODE --to FOLDER [--dry-run]')
  if (!to && !values['dry-run'])
    throw new ExportError('Say where to, by --to FOLDER, or ask what would be exported, by --dry-run.')
  await withDatabase({ dataDir: env.DATA_DIR, isAlone: false }, async (url) => {
    const { sql } = createDatabase(url, { max: 2 })
    try {
      const agency = await findAgency(sql, wanted)
      const { files, bytes, rows } = await previewExport(sql, agency)
      const tables = Object.entries(rows).filter(([, count]) => count > 0)
      console.log(
        [
          `${agency.name} (${agency.code}): ${formatCount(files, 'file')}, ${formatBytes(bytes)}. Rows:`,
          ...tables.map(([table, count]) => `  ${table} ${count}`),
        ].join('\n'),
      )
      if (values['dry-run'] || !to) return
      const folder = path.resolve(to)
      const ctx = newContext({ actor: { type: 'system', name: 'Export' }, requestId: 'export' })
      const version = JSON.parse(readFileSync('package.json', 'utf8')).version
      const manifest = await exportAgency({ sql, blobs: ctx.ports.blobs, agency, folder, version })
      await inTransaction(ctx, (tx) =>
        tx.record({
          type: 'agency.exported',
          subjectId: agency.id,
          data: { name: agency.name, files: manifest.files, bytes: manifest.bytes, missing: manifest.missing.length },
        }),
      )
      console.log(`${folder} holds ${formatCount(manifest.files, 'file')}, ${formatBytes(manifest.bytes)}.`)
      if (manifest.missing.length === 0) return
      console.error(
        [
          `${formatCount(manifest.missing.length, 'file')} could not be exported; manifest.json names all:`,
          ...manifest.missing.slice(0, 20).map(({ id, name, reason }) => `  ${id} ${name} ${reason}`),
          'See `npm run doctor`.',
        ].join('\n'),
      )
      process.exitCode = 1
    } finally {
      await sql.end({ timeout: 5 })
    }
  }).finally(closeDatabase)
} catch (error) {
  console.error(`The export failed. ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
