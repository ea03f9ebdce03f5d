import { MapPin, Wrench } from 'lucide-react'
import { AttachedFiles } from '@/components/attachments/attached-files'
import { placeWords } from '@/components/review/place-words'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import type { RejectedFile as Rejected } from '@/lib/domain/upload-links/schema'
import { MarkedImages } from './marked-images'
import { RepairedCopy } from './repaired-copy'

const numbered = <T extends object>(list: readonly T[]) => list.map((one, index) => ({ ...one, number: index + 1 }))

/** What helps to fix a rejected file: where the review marked it, and how each finding goes away. */
export function RejectedFile({
  file,
  token,
  onAccepted,
}: {
  file: Rejected
  token: string
  /** The repaired copy was taken: the link says something else now. */
  onAccepted: () => void
}) {
  const blocking = file.findings.filter((finding) => finding.is_blocking || finding.fix)
  const copy = file.repaired_copy
  if (file.marks.length === 0 && blocking.length === 0 && !copy) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2 sm:only:*:col-span-2">
      {copy && <RepairedCopy key={copy.id} file={file} copy={copy} token={token} onAccepted={onAccepted} />}
      <MarkedImages file={file} />
      <div className="flex min-w-0 flex-col gap-4">
        {file.marks.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 text-sm font-semibold">
              <MapPin aria-hidden="true" className="size-4 text-ink-subtle" />
              What the review said
            </h3>
            <ol className="mt-1 flex flex-col gap-1.5">
              {numbered(file.marks).map(({ number, anchor, shapes, body, answers, attachments }) => (
                <li key={number} className="flex gap-2 text-sm">
                  <span className="w-4 shrink-0 text-right font-semibold tabular-nums">{number}</span>
                  <div className="min-w-0">
                    <span className="wrap-anywhere whitespace-pre-wrap">{body}</span>
                    {anchor && (
                      <span className="block text-xs text-ink-subtle">{placeWords(anchor, shapes.length > 0)}</span>
                    )}
                    {numbered(answers.map((text) => ({ text }))).map((reply) => (
                      <span
                        key={reply.number}
                        className="mt-1 block border-l-2 border-line pl-2 wrap-anywhere whitespace-pre-wrap text-ink-muted"
                      >
                        {reply.text}
                      </span>
                    ))}
                    <AttachedFiles attachments={attachments} />
                  </div>
                </li>
              ))}
            </ol>
          </section>
        )}
        {blocking.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 text-sm font-semibold">
              <Wrench aria-hidden="true" className="size-4 text-ink-subtle" />
              How to fix it
            </h3>
            <ul className="mt-1 flex flex-col gap-2">
              {blocking.map(({ label, details, fix }) => (
                <li key={label} className="text-sm">
                  <span className="font-medium">{label}: </span>
                  <span className="text-ink-muted wrap-anywhere">{details}</span>
                  {fix && (
                    <span className="mt-1 flex items-start gap-2 rounded-md bg-sunken px-3 py-2">
                      <span className="min-w-0 flex-1 wrap-anywhere">{fix}</span>
                      <CopyTextButton text={fix} name={`Copy how to fix ${label}`} variant="ghost" />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  )
}
