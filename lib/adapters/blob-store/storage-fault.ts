import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'

export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Throws what the file system said as StorageUnavailable, with a reason an operator of the server can act on. */
export function storageFault(error: unknown): never {
  throw asStorageFault(error)
}

export function asStorageFault(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  if (isErrno(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) {
    return new StorageUnavailable('full', 'The file storage is full; free some space on its disk.', { cause: error })
  }
  if (isErrno(error, 'EACCES', 'EPERM')) {
    return new StorageUnavailable(
      'forbidden',
      'The file storage may not be written to; check the owner and mode of its folder.',
      { cause: error },
    )
  }
  if (isErrno(error, 'EROFS')) {
    return new StorageUnavailable('read_only', 'The file storage is mounted read-only.', { cause: error })
  }
  return new StorageUnavailable(
    'failed',
    `The file storage failed: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )
}
