import type { File } from '@/lib/domain/files/schema'
import { FileActions } from './file-actions'
import type { Reviewer } from './reviewer'
import type { Reviewing } from './use-reviewing'
import type { Room } from './use-viewed-file'

/** The name of the file on the stage, and what can be done with it. */
export function FileTitle(props: { file: File; room: Room; reviewing: Reviewing; me: Reviewer }) {
  const { file } = props
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line bg-surface px-3 py-1">
      <h2 className="min-w-0 truncate text-sm font-medium" title={file.name}>
        {file.name}
      </h2>
      {file.version > 1 && <span className="shrink-0 text-xs text-ink-subtle">Version {file.version}</span>}
      <FileActions {...props} />
    </div>
  )
}
