import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The user the database runs as. `ids` goes into spawn(); it is empty when that is simply ourselves. */
export type Owner = { ids: { uid: number; gid: number } | Record<string, never> }

/**
 * PostgreSQL refuses to run as root. Started by root it is given to a user without rights that exists already
 * (`postgres`, else `nobody`): no account is created. A cluster that is there keeps the owner it has.
 */
export function chooseOwner(clusterFolder: string): Owner {
  const existing = statSync(clusterFolder, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0) {
    if (existing && process.getuid && existing.uid !== process.getuid()) {
      throw new Error(
        `The database in ${clusterFolder} belongs to another user (uid ${existing.uid}), who must start Greenroom. ` +
          'Or set DATA_DIR to a folder of your own.',
      )
    }
    return { ids: {} }
  }
  if (existing && existing.uid !== 0) return { ids: { uid: existing.uid, gid: existing.gid } }
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':')
    const uid = Number(fields?.[2])
    const gid = Number(fields?.[3])
    if (uid > 0 && gid > 0) return { ids: { uid, gid } }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor a user "nobody" to run it as. ' +
      'Start Greenroom as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether `owner` may pass through every folder down to and including `folder`, as far as permission bits say. */
export function canReach(owner: Owner, folder: string): boolean {
  if (!('uid' in owner.ids)) return true
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const { mode, uid, gid } = statSync(current)
    const bit = uid === owner.ids.uid ? 0o100 : gid === owner.ids.gid ? 0o010 : 0o001
    if (!(mode & bit)) return false
    if (current === path.dirname(current)) return true
  }
}
