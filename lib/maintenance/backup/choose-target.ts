import type { Environment } from '@/lib/env'
import { BackupError, type Target } from './target'

/** `to`: a folder, or `s3://bucket/prefix`. Nothing is asked of it yet. */
export async function targetAt(to: string, env: Environment): Promise<Target> {
  const bucket = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(to)
  if (bucket) {
    const { bucketTarget } = await import('./bucket-target')
    return bucketTarget(to, bucket[1] ?? '', bucket[2] ?? '', env)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(to) || to.trim() === '')
    throw new BackupError(`“${to}” is no place for backups; expected a folder, or s3://bucket/prefix.`)
  const { FolderTarget } = await import('./folder-target')
  return new FolderTarget(to)
}
