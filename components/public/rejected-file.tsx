import { MapPin, Wrench } from 'lucide-react'
import { placeWords } from '@/components/review/place-words'
import { CopyButton } from '@/components/ui/copy-button'
import type { RejectedFile as Rejected } from '@/lib/domain/upload-links/schema'

const percent = (share: number) => `${share * 100}%`

/** What helps to mend a rejected file: where the review marked it, and how each finding goes away. */
export function RejectedFile({ file }: { file: Rejected }) {
  const blocking = file.findings.filter((finding) => finding.is_blocking || finding.fix)
  if (file.marks.length === 0 && blocking.length === 0) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {file.picture_url && file.marks.length > 0 && (
        <div className="grid place-items-center self-start rounded-lg bg-media p-3">
          <div className="relative">
            {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
            <img
              src={new URL(file.picture_url).pathname}
              alt={`Version ${file.version} of ${file.name}, which was rejected`}
              className="block max-h-80 max-w-full"
            />
            {file.marks.map(({ anchor, body }, index) =>
              anchor && (anchor.kind === 'point' || anchor.kind === 'region') && (anchor.page ?? 1) === 1 ? (
                <span key={`${body} ${anchor.x} ${anchor.y}`}>
                  {anchor.kind === 'region' && (
                    <span
                      className="absolute outline-2 outline-fail [box-shadow:0_0_0_1px_#fff,inset_0_0_0_1px_#fff]"
                      style={{
                        left: percent(anchor.x),
                        top: percent(anchor.y),
                        width: percent(anchor.width),
                        height: percent(anchor.height),
                      }}
                    />
                  )}
                  <span
                    className="absolute grid size-6 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#1c2322] text-2xs font-semibold text-white"
                    style={{ left: percent(anchor.x), top: percent(anchor.y) }}
                  >
                    {index + 1}
                  </span>
                </span>
              ) : null,
            )}
          </div>
        </div>
      )}
      <div className="flex min-w-0 flex-col gap-4">
        {file.marks.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 text-sm font-semibold">
              <MapPin aria-hidden="true" className="size-4 text-ink-subtle" />
              What the review marked
            </h3>
            <ol className="mt-1 flex flex-col gap-1.5">
              {file.marks.map(({ anchor, body }, index) => (
                <li key={`${body} ${JSON.stringify(anchor)}`} className="flex gap-2 text-sm">
                  <span className="w-4 shrink-0 text-right font-semibold tabular-nums">{index + 1}</span>
                  <span className="min-w-0">
                    <span className="wrap-anywhere whitespace-pre-wrap">{body}</span>
                    {anchor && <span className="block text-xs text-ink-subtle">{placeWords(anchor)}</span>}
                  </span>
                </li>
              ))}
            </ol>
          </section>
        )}
        {blocking.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 text-sm font-semibold">
              <Wrench aria-hidden="true" className="size-4 text-ink-subtle" />
              How to mend it
            </h3>
            <ul className="mt-1 flex flex-col gap-2">
              {blocking.map(({ label, details, fix }) => (
                <li key={label} className="text-sm">
                  <span className="font-medium">{label}: </span>
                  <span className="text-ink-muted wrap-anywhere">{details}</span>
                  {fix && (
                    <span className="mt-1 flex items-start gap-2 rounded-md bg-sunken px-3 py-2">
                      <span className="min-w-0 flex-1 wrap-anywhere">{fix}</span>
                      <CopyButton text={fix} label={`Copy how to mend ${label}`} />
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
