import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Cluster, startCluster } from './cluster'
import { canReach, chooseOwner } from './owner'

// Where root keeps what the database's user must reach, when the data folder itself lies below a closed one.
const SHARED_PLACES = ['/var/lib/greenroom', '/var/tmp/greenroom']

/**
 * Starts the product's own PostgreSQL for a data folder. The cluster lies in `database` below it; when root starts the
 * product below a folder that other users cannot enter (/root is one), it lies under /var/lib/greenroom instead and
 * `database-location` in the data folder names the place. The connection URL is stored in `database-url`, mode 0600.
 */
export async function startEmbeddedDatabase(dataDir: string): Promise<Cluster> {
  const folder = path.resolve(dataDir)
  prepareDataFolder(folder)
  mkdirSync(path.join(folder, 'logs'), { recursive: true, mode: 0o700 })
  const cluster = clusterFolder(folder)
  return startCluster({
    folder: cluster,
    urlFile: path.join(folder, 'database-url'),
    logFile: path.join(folder, 'logs', 'database.log'),
    programs: path.dirname(cluster),
  })
}

/** Creates the data folder: ours alone, except that the database's user may pass through when root starts us. */
export function prepareDataFolder(folder: string) {
  if (existsSync(folder)) return
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
}

function clusterFolder(dataDir: string): string {
  const pointer = path.join(dataDir, 'database-location')
  if (existsSync(pointer)) {
    const noted = readFileSync(pointer, 'utf8').trim()
    if (existsSync(noted) || !existsSync(path.join(dataDir, 'database-url'))) return noted
    throw new Error(
      `The database of this data folder was kept in ${noted}, and is no longer there. Put it back from a backup, ` +
        `or delete ${pointer} to begin with an empty database.`,
    )
  }
  const inside = path.join(dataDir, 'database')
  if (existsSync(inside) || canReach(chooseOwner(inside), dataDir)) return inside
  const outside = path.join(sharedPlace(), createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  writeFileSync(pointer, `${outside}\n`, { mode: 0o600 })
  return outside
}

function sharedPlace(): string {
  for (const place of SHARED_PLACES) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o711 })
      // Anybody may create folders in /var/tmp; only one of root's own is trusted.
      if (statSync(place).uid === 0) return place
    } catch {
      // Read-only in some containers: try the next one.
    }
  }
  throw new Error(
    `The database must lie where an ordinary user can reach it, and neither ${SHARED_PLACES.join(' nor ')} can be ` +
      'created. Set DATA_DIR to a folder whose parents others may enter, or set DATABASE_URL.',
  )
}
