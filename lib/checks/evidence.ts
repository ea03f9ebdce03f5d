import type { Box } from '@/lib/media/measurements'
import { type EvidenceWanted, isFailure, type Subject } from './check'
import type { CheckResult } from './engine'

/** Images of one result, and of one check: the occurrences say what is beyond. */
const MOST = 12
const MOST_PER_CHECK = 3
/** Frames of a stretch that flashes: enough to see both states. */
const STRIP = [0.05, 0.35, 0.65, 0.95]
const CURVE_CHECKS: ReadonlySet<string> = new Set([
  'loudness_check',
  'dialogue_loudness_check',
  'silence_check',
  'audio_dropout_check',
  'audio_click_check',
  'mains_hum_check',
  'clipping_check',
  'phase_check',
])

/**
 * Which images show what the checks found: the frame at the fault, the region marked, the curve of the loudness, the
 * boxes of a page. Pure; the drawing is `measure/draw-evidence.ts`.
 */
export function planEvidence(subject: Subject, checks: readonly CheckResult[]): EvidenceWanted[] {
  return checks
    .filter(({ status }) => status === 'fail' || status === 'warning')
    .flatMap((check) =>
      planFor(subject, check)
        .slice(0, MOST_PER_CHECK)
        .map((drawing) => ({ ...drawing, checkId: check.check_id })),
    )
    .slice(0, MOST)
}

type Without<T> = T extends unknown ? Omit<T, 'checkId'> : never
type Planned = Without<EvidenceWanted>

function planFor(subject: Subject, check: CheckResult): Planned[] {
  if (CURVE_CHECKS.has(check.check_id)) return curveOf(subject, check)
  const occurrences = check.occurrences ?? []
  const regions = occurrences.flatMap(({ region }) => region ?? [])
  switch (subject.kind) {
    case 'image':
      return regions.length > 0 ? [{ draw: 'image', regions }] : []
    case 'video': {
      const spans = occurrences.flatMap(({ start, end }) => (start === undefined ? [] : [{ start, end: end ?? start }]))
      if (spans.length === 0) return regions.length > 0 ? [{ draw: 'frames', times: [], regions }] : []
      const shares = check.check_id === 'flash_check' ? STRIP : [0.5]
      return spans.map(({ start, end }) => ({
        draw: 'frames',
        times: shares.map((share) => start + (end - start) * share),
        regions: [],
      }))
    }
    case 'document':
      return pagesOf(subject, check)
    default:
      return []
  }
}

/** Each page once, with what was found on it marked and the boxes it states. */
function pagesOf({ media }: Subject, { occurrences = [] }: CheckResult): Planned[] {
  if (isFailure(media) || media.kind !== 'document') return []
  const pages = [...new Set(occurrences.flatMap(({ page }) => page ?? []))]
  return pages.flatMap((page) => {
    const facts = media.pageSizes[page - 1]
    if (!facts) return []
    const { widthMm, heightMm, cropBox, mediaBox, trimBox, bleedBox } = facts
    const shown = cropBox ?? mediaBox
    // A turned page shows its boxes elsewhere; its outline alone would mislead.
    const isUpright = Math.abs(shown.widthMm - widthMm) < 0.5
    const onPage = (box: typeof trimBox): Box[] =>
      box && isUpright
        ? [
            {
              x: box.xMm - shown.xMm,
              y: shown.yMm + shown.heightMm - box.yMm - box.heightMm,
              width: box.widthMm,
              height: box.heightMm,
            },
          ]
        : []
    return [
      {
        draw: 'page' as const,
        page,
        size: { width: widthMm, height: heightMm },
        regions: occurrences.flatMap((place) => (place.page === page && place.region ? [place.region] : [])),
        trim: onPage(trimBox),
        bleed: onPage(bleedBox),
      },
    ]
  })
}

/** The loudness of the track by time, the stretches that were found shaded. */
function curveOf({ measures }: Subject, check: CheckResult): Planned[] {
  const { audio } = measures
  if (!audio || isFailure(audio)) return []
  const index = check.occurrences?.[0]?.stream ?? 0
  const track = audio.tracks[index]
  if (!track || track.loudness.curve.length < 2) return []
  const isLevel = check.unit === 'LUFS'
  return [
    {
      draw: 'curve',
      seconds: track.durationSeconds,
      curve: track.loudness.curve,
      target: isLevel && typeof check.expected === 'number' ? check.expected : null,
      spans:
        check.check_id === 'loudness_check'
          ? []
          : (check.occurrences ?? []).flatMap(({ start, end, stream }) =>
              start !== undefined && (stream ?? 0) === index ? [{ start, end: end ?? start }] : [],
            ),
    },
  ]
}
