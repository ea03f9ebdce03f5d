import { accessSync, constants } from 'node:fs'
import { createDatabase } from '@/db/client'
import { storeOf } from '@/lib/adapters/blob-store/choose'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { type Environment, EnvironmentError } from '@/lib/env'
import { prepareDataFolder } from '@/server/embedded-database/embedded-database'

export function requireFolder(folder: string) {
  try {
    prepareDataFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new EnvironmentError(
      `DATA_DIR is "${folder}": that folder cannot be ${code === 'EACCES' ? 'written to' : 'made'} (${code}). ` +
        'Set DATA_DIR to a folder of your own.',
    )
  }
}

/** A store that cannot be written to, read from and deleted from is found out now, and not by the first upload. */
export async function proveStorage(settings: Environment, databaseUrl: string) {
  const { db, sql } = createDatabase(databaseUrl, { max: 1 })
  try {
    await storeOf(settings, () => db).prove()
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new EnvironmentError(error.explanation)
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

type Uploads = { way: 'direct' | 'server'; obstacle: string | null }

/** How files come in, found out once for every process, and why browsers cannot send to the bucket if they cannot. */
export async function chooseUploads(settings: Environment): Promise<Uploads> {
  const { STORAGE, UPLOADS, BASE_URL } = settings
  if (STORAGE !== 's3' || UPLOADS === 'server') return { way: 'server', obstacle: null }
  const { direct } = storeOf(settings, () => {
    throw new Error('A bucket needs no database.')
  })
  const obstacle = (await direct?.obstacleFor(new URL(BASE_URL).origin)) ?? null
  return { way: UPLOADS === 'direct' || obstacle === null ? 'direct' : 'server', obstacle }
}

/** The same for the terminal. */
export function describeUploads({ way, obstacle }: Uploads): string {
  const but = obstacle ? `; ${obstacle} (docs/storage.md)` : ''
  return way === 'direct' ? `from the client to the bucket${but}` : `through this server${but}`
}

/** What web and worker are given: the settings as they were understood, and what goes with them. */
export function childEnvironment(
  settings: Environment,
  databaseUrl: string,
  uploads: Uploads,
  dev: boolean,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: dev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(settings.PORT),
    WEB_PROCESSES: String(settings.WEB_PROCESSES),
    BASE_URL: settings.BASE_URL,
    DATA_DIR: settings.DATA_DIR,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: settings.AUTH_SECRET,
    UPLOADS: uploads.way,
    // next-auth's own names for the same two things.
    NEXTAUTH_URL: settings.BASE_URL,
    NEXTAUTH_SECRET: settings.AUTH_SECRET,
  }
}
