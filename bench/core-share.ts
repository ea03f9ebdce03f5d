import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const GROUPS = '/sys/fs/cgroup'
/** Microseconds; short, so that a process that has used its share does not stand still for long. */
const PERIOD = 10_000

/** A control group whose processes get no more than their share of one core. */
export type CoreShare = { processes: string; remove: () => Promise<void> }

/**
 * `share`: 0.1 to 1, of one core. Linux, root; control groups of version 2 (`cpu.max`) or 1 (`cpu.cfs_quota_us`).
 *
 * @throws where the kernel has no such limit
 */
export function coreShare(name: string, share: number): CoreShare {
  const quota = Math.round(share * PERIOD)
  const isVersion2 = existsSync(path.join(GROUPS, 'cgroup.controllers'))
  if (isVersion2) writeFileSync(path.join(GROUPS, 'cgroup.subtree_control'), '+cpu')
  const folder = path.join(GROUPS, ...(isVersion2 ? [] : ['cpu']), name)
  mkdirSync(folder, { recursive: true })
  if (isVersion2) writeFileSync(path.join(folder, 'cpu.max'), `${quota} ${PERIOD}`)
  else {
    writeFileSync(path.join(folder, 'cpu.cfs_period_us'), String(PERIOD))
    writeFileSync(path.join(folder, 'cpu.cfs_quota_us'), String(quota))
  }
  return { processes: path.join(folder, 'cgroup.procs'), remove: () => removeEmpty(folder) }
}

/** A group stays as long as a process of it does, also one that was just killed. */
async function removeEmpty(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return rmdirSync(folder)
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}
