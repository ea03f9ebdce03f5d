import { Callout } from '@/components/ui/callout'
import { DateTime } from '@/components/ui/relative-time'
import type { File } from '@/lib/domain/files/schema'
import { ruleWords } from '@/lib/domain/retention/rules'
import { Thumbnail } from './thumbnail'

/** In place of a file whose bytes or previews a retention rule removed; nothing for any other. */
export function RemovedNotice({ file }: { file: File }) {
  const gone = file.removed ?? file.previews_removed
  if (!gone) return null
  return (
    <div className="mx-auto flex w-full max-w-md flex-col items-center gap-3 p-4">
      <Thumbnail file={file} className="h-24 w-36" />
      <Callout
        tone="neutral"
        title={
          <>
            {file.removed ? 'The file' : 'The preview'} was removed on <DateTime value={gone.at} />
          </>
        }
      >
        It was due {ruleWords(gone)}. Its name, hash, verdicts and decisions are kept.
      </Callout>
    </div>
  )
}
