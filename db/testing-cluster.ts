import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { bundleChildren } from '@/server/build/bundle'
import { startCluster } from '@/server/embedded-database/cluster'
import { clearPostmaster } from '@/server/embedded-database/postmaster'
import { identifyProcess } from '@/server/embedded-database/process'
import { migrateDatabase } from './migrate'

const PREFIX = 'greenroom-test-'
const TEMPLATE = 'greenroom_template'

/**
 * Once a test run: a throwaway PostgreSQL with a migrated template (see testing.ts), and the programs of the sandboxed
 * processes bundled from their sources as they are now. Both are gone when the run ends.
 */
export default async function setup(project: TestProject) {
  await sweepKilledRuns()
  const me = identifyProcess(process.pid)
  const folder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-${me?.startedAt.replace(/\W/g, '_')}-`))
  chmodSync(folder, 0o711)
  // Who watches goes on editing: then they are started from their sources, as in development.
  if (!project.config.watch) {
    process.env.GREENROOM_CHILDREN = path.join(folder, 'children')
    await bundleChildren(process.cwd(), process.env.GREENROOM_CHILDREN)
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction')
  }
  const cluster = await startCluster({
    folder: path.join(folder, 'database'),
    urlFile: path.join(folder, 'database-url'),
    logFile: path.join(folder, 'database.log'),
    // Only used below a folder the database's user cannot enter: the programs are then copied once, not once a run.
    programs: path.join(tmpdir(), `greenroom-programs-${process.getuid?.() ?? 0}`),
    throwaway: true,
  })
  const template = new URL(cluster.url)
  template.pathname = `/${TEMPLATE}`
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create database ${TEMPLATE}`)
  await migrateDatabase(template.href)
  await sql.end({ timeout: 5 })
  project.provide('testCluster', cluster.url)
  project.provide('testTemplate', TEMPLATE)
  return async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A killed run cannot clean up after itself: the next one stops its server and removes its folder. */
async function sweepKilledRuns() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid, startedAt] = /^greenroom-test-(\d+)-(\w+)-/.exec(name) ?? []
    if (!pid || !startedAt) continue
    const owner = identifyProcess(Number(pid))
    if (owner?.startedAt.replace(/\W/g, '_') === startedAt) continue
    try {
      await clearPostmaster(path.join(tmpdir(), name, 'database'))
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's, or swept by another run at this moment.
    }
  }
}
