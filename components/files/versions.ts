import type { File } from '@/lib/domain/files/schema'

type Version = Pick<File, 'id' | 'version' | 'supersedes_id'>

/** All versions of a file, the newest first: each names the one it replaced, whatever either is called. */
export function versionsOf<V extends Version>(file: V, all: readonly V[]): V[] {
  const byId = new Map(all.map((version) => [version.id, version]))
  const bySuperseded = new Map(
    all.flatMap((version) => (version.supersedes_id ? [[version.supersedes_id, version]] : [])),
  )
  const found: V[] = []
  for (let at = bySuperseded.get(file.id); at; at = bySuperseded.get(at.id)) found.unshift(at)
  for (let at: V | undefined = file; at; at = at.supersedes_id ? byId.get(at.supersedes_id) : undefined) found.push(at)
  return found
}
