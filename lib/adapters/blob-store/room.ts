import { statfs } from 'node:fs/promises'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { storageFault } from './storage-fault'

const RESERVED_SHARE = 0.05
const MOST_RESERVED_BYTES = 1024 ** 3
/** With less than so many times that free a disk is said to fill; the alert in deploy/prometheus counts the same. */
const LOW_TIMES = 3

/** Bytes. `reserved`: what uploads leave to the database and the logs; `low`: with less free, somebody should make room. */
type Room = { free: number; total: number; reserved: number; low: number }

/** How much of the file system of this path is free. */
export async function roomAt(path: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(path)
  const total = blocks * bsize
  const reserved = Math.min(MOST_RESERVED_BYTES, total * RESERVED_SHARE)
  return { free: bavail * bsize, total, reserved, low: LOW_TIMES * reserved }
}

/** Throws StorageUnavailable where so many bytes more would take what is reserved. */
export async function assertRoom(path: string, bytes: number): Promise<void> {
  const { free, reserved } = await roomAt(path).catch(storageFault)
  if (free - bytes >= reserved) return
  const [has, keeps] = [free, reserved].map((count) => `${Math.round(count / 1024 ** 2)} MiB`)
  throw new StorageUnavailable(
    'full',
    `The disk of the file storage has ${has} free, and uploads leave ${keeps} of it to the database and the logs; free some space on it.`,
  )
}
