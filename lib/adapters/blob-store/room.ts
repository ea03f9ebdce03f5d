import { statfs } from 'node:fs/promises'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { storageFault } from './storage-fault'

const RESERVED_SHARE = 0.05
const MOST_RESERVED_BYTES = 1024 ** 3

/** How much of a file system is free, and how much of it uploads leave to the database and the logs beside them. Bytes. */
export async function roomAt(path: string): Promise<{ free: number; total: number; reserved: number }> {
  const { bavail, blocks, bsize } = await statfs(path)
  const total = blocks * bsize
  return { free: bavail * bsize, total, reserved: Math.min(MOST_RESERVED_BYTES, total * RESERVED_SHARE) }
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
