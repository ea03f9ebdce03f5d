import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Callout } from '@/components/ui/callout'
import { AnchorButton } from '@/components/ui/link-button'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { Thumbnail } from './thumbnail'

const CODINGS: Record<string, string> = {
  prores: 'ProRes',
  hevc: 'H.265',
  h264: 'H.264',
  mpeg4: 'MPEG-4',
  dnxhd: 'DNxHD',
}

/** How a video or audio file is coded, in words. */
function codingOf({ media, media_type }: File): string {
  const [audio] = Array.isArray(media.audio) ? (media.audio as { codec?: string }[]) : []
  const codec = media.kind === 'video' ? media.codec : audio?.codec
  return typeof codec === 'string' ? (CODINGS[codec] ?? codec) : media_type
}

const MOST_IMAGES = 6

/** Frames the checks took from the video, as the service decoded them. */
function framesOf(checks: readonly CheckLine[]): { url: string; label: string }[] {
  const frames = checks.flatMap((check) =>
    (check.evidence ?? []).flatMap(({ kind, url }) => (kind === 'image' ? [{ url, label: check.label }] : [])),
  )
  return frames.slice(0, MOST_IMAGES)
}

/** In place of a player that would run without an image: what the service has of the file, and the file itself. */
export function NotShown({
  file,
  checks,
  why,
  children,
}: {
  file: File
  checks: readonly CheckLine[]
  /** Why there is no copy of it that could be played. */
  why?: string | null | undefined
  /** What else can be done. */
  children?: ReactNode
}) {
  const isVideo = file.media.kind === 'video'
  const frames = framesOf(checks)
  return (
    <div className="flex max-h-full w-full max-w-2xl flex-col items-center gap-3 overflow-y-auto p-4">
      {isVideo && <Thumbnail file={file} className="h-56 w-96 max-w-full" />}
      {frames.length > 0 && (
        <ul aria-label="Frames from the checks" className="flex w-full flex-wrap justify-center gap-2">
          {frames.map(({ url, label }) => (
            <li key={url}>
              <a href={ownPath(url)} target="_blank" rel="noreferrer">
                {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
                <img src={ownPath(url)} alt={`Frames: ${label}`} className="h-20 max-w-full rounded-md" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Callout
        tone="warn"
        title={isVideo ? 'This browser cannot show this video' : 'This browser cannot play this audio'}
        actions={
          <>
            <AnchorButton href={ownPath(file.download_url)} download size="sm">
              <Download />
              Download the original
            </AnchorButton>
            {children}
          </>
        }
      >
        It is coded as {codingOf(file)}. {why && `There is no playback copy of it: ${why} `}
        {isVideo
          ? 'The image is its preview, not a frame of it. Download the file to view it, then decide. You can comment on the file as a whole.'
          : 'Download the file to listen to it, then decide. You can comment on the file as a whole.'}
      </Callout>
    </div>
  )
}
