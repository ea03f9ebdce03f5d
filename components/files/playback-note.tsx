import { Badge } from '@/components/ui/badge'
import type { Playback } from '@/lib/domain/playback/schema'
import { formatNumber } from '@/lib/format'

const CODINGS: Record<string, string> = { h264: 'H.264', aac: 'AAC' }

/** What a copy is, in one line. */
function copyWords(copy: NonNullable<Playback['copy']>): string {
  const parts = [
    CODINGS[copy.codec] ?? copy.codec,
    copy.width && copy.height ? `${copy.width} × ${copy.height}` : null,
    copy.frame_rate ? `${formatNumber(copy.frame_rate, 3)} frames a second` : null,
    copy.dynamic_range === 'tone_mapped' ? 'HDR fitted into SDR' : null,
    copy.dynamic_range === 'not_mapped' ? 'HDR that looks pale here' : null,
    copy.is_deinterlaced ? 'deinterlaced' : null,
  ]
  return parts.filter(Boolean).join(', ')
}

/** Says that a copy is played, what it is, or that it is still being made, and where the original is. */
export function PlaybackNote({ playback, original }: { playback: Playback | null; original: string | null }) {
  if (!playback?.copy && !playback?.pieces) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-1 text-xs text-ink-muted">
      <Badge>Playback copy</Badge>
      <span className="tabular-nums">
        {playback.copy
          ? copyWords(playback.copy)
          : `Still being made, ${playback.progress} %: what is there can be played`}
      </span>
      {original && (
        <a href={original} download className="link">
          Download the original
        </a>
      )}
    </p>
  )
}

/** While a copy is made: how far it is. */
export function MakingCopy({ playback, poster }: { playback: Playback | null; poster: string | null }) {
  return (
    <div className="grid size-full max-h-full place-items-center content-center gap-3 overflow-hidden p-4">
      {poster && (
        // biome-ignore lint/performance/noImgElement: the worker made it in the right size already
        <img src={poster} alt="" className="max-h-80 min-h-0 max-w-full rounded-md" />
      )}
      <p role="status" className="text-sm text-ink-muted tabular-nums">
        Making a playback copy…{playback?.progress ? ` ${playback.progress} %` : ''}
      </p>
    </div>
  )
}

/** What is shown to a guest of a file that browsers cannot play: how far its copy is, or that there is none. */
export function NoCopy({
  file: { name, playback, download_url },
  poster,
}: {
  file: { name: string; playback: Playback | null; download_url: string | null }
  poster: string | null
}) {
  if (playback?.status === 'queued' || playback?.status === 'running')
    return <MakingCopy playback={playback} poster={poster} />
  return (
    <div className="grid place-items-center gap-3 bg-media p-4">
      {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
      {poster && <img src={poster} alt={`Preview of ${name}`} className="max-h-[60dvh] max-w-full" />}
      <p className="rounded-md bg-surface px-3 py-1.5 text-sm text-ink-muted">
        Browsers cannot play this file, and there is no playback copy of it
        {download_url ? '. Download it to view it.' : '. Ask the person who sent you the link.'}
      </p>
    </div>
  )
}
