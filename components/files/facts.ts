import type { File } from '@/lib/domain/files/schema'
import { formatDuration } from '@/lib/format'
import { seenSize } from './seen-size'

const number = (value: unknown) => (typeof value === 'number' ? value : null)

/** What a file is, in a few words: `1920 × 1080 px`, `25 fps`, `0:30`, `4 pages`. */
export function factsOf({ media }: Pick<File, 'media'>): string[] {
  const { width, height } = seenSize({ media })
  const seconds = number(media.duration_seconds)
  const pages = number(media.pages)
  const rate = number((media.frame_rate as { average?: unknown } | null | undefined)?.average)
  const sampleRate = number(
    (media.audio as { sample_rate?: unknown }[] | undefined)?.[0]?.sample_rate ?? media.sample_rate,
  )
  return [
    media.width && media.height ? `${Math.round(width)} × ${Math.round(height)} px` : null,
    media.kind === 'video' && rate ? `${Number(rate.toFixed(2))} fps` : null,
    seconds ? formatDuration(seconds) : null,
    typeof media.operational_pattern === 'string' ? `MXF ${media.operational_pattern}` : null,
    media.kind === 'audio' && sampleRate ? `${sampleRate / 1000} kHz` : null,
    media.kind === 'archive' && media.imf ? 'IMF package' : null,
    media.kind === 'document' && pages ? `${pages} ${pages === 1 ? 'page' : 'pages'}` : null,
  ].filter((fact) => fact !== null)
}
