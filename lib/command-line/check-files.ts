import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { evaluateOn } from '@/lib/checks/announced'
import { isFailure, type Subject } from '@/lib/checks/check'
import { type CheckResult, type CheckSettings, runChecks } from '@/lib/checks/engine'
import { integrityCheck } from '@/lib/checks/file/integrity-check'
import { type DestinationResult, evaluateDestinations } from '@/lib/destinations/evaluate'
import type { Specification } from '@/lib/destinations/specification'
import { extensionOf, findMediaType } from '@/lib/domain/files/media-types'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { WatchBanner } from '@/lib/media/ads/watch-ad'
import { inspectFile } from '@/lib/media/inspect/inspect'
import type { Inspection } from '@/lib/media/inspection'
import { measureFile } from '@/lib/media/measurer/measure-file'
import { Lane } from '@/lib/sandbox/lane'
import type { MediaKind, PreQcDepth, ResultSummary } from '@/lib/vocabulary'

/** Files on a disk, checked as the service checks uploads: the same inspector, measurements and engine, no database. */

/** As `pre_qc` of a media category. */
export type Profile = { depth?: PreQcDepth | undefined; checks: Record<string, CheckSettings> }

export type Plan = {
  /** Null: destinations only. */
  profile: Profile | null
  destinations: readonly Specification[]
  /** The day as of which announced rules hold, `YYYY-MM-DD`. */
  day: string
}

/** A file that was asked for: `name` as it was written, `path` where it lies. */
export type NamedFile = { name: string; path: string }

export type FileReport = {
  file: string
  bytes: number
  media_type: string
  kind: MediaKind
  /** `undecided`: nothing failed, but something could not be decided. Warnings pass. */
  outcome: 'passes' | 'fails' | 'undecided'
  /** Null where no profile was asked for. */
  summary: ResultSummary | null
  checks: CheckResult[]
  destinations: DestinationResult[]
}

/** Reports in the order of the files. What cannot be read is a reason in its report, never an exception. */
export function checkFiles(
  files: readonly NamedFile[],
  plan: Plan,
  watchBanner: WatchBanner,
  onDone: () => void = () => {},
): Promise<FileReport[]> {
  const lane = new Lane(Math.max(1, availableParallelism()))
  return Promise.all(
    files.map((file) =>
      lane.run(async () => {
        const report = reportOf(file.name, await measure(file, plan, watchBanner), plan)
        onDone()
        return report
      }),
    ),
  )
}

/** As at an upload: a file that is not whole is refused, and nothing more is measured of it. */
async function measure(file: NamedFile, { profile }: Plan, watchBanner: WatchBanner): Promise<Subject> {
  const extension = extensionOf(file.path)
  const seen = await inspectFile(file.path, { extension, quick: true }).catch((error: unknown) => {
    if (error instanceof DomainError) return { failed: error.detail }
    return { failed: error instanceof Error ? error.message : String(error) }
  })
  const base = {
    name: file.path.split(/[\\/]/).at(-1) ?? file.path,
    bytes: statSync(file.path, { throwIfNoEntry: false })?.size ?? 0,
    claims: {},
    expectations: { mediaTypes: [], maxFileBytes: null },
  }
  if ('failed' in seen || seen.violations.length > 0) return { ...base, ...unmeasured(seen) }
  const stored = { name: base.name, kind: seen.kind, mediaType: seen.mediaType }
  const depth = profile?.depth ?? 'full'
  const measured = await measureFile(inspectFile, file.path, stored, { depth }, watchBanner)
  return {
    ...base,
    kind: seen.kind,
    mediaType: seen.mediaType,
    media: measured.media,
    integrity: measured.integrity,
    measures: measured.measures,
    ...(depth === 'quick' && { depth }),
  }
}

function unmeasured(
  seen: Inspection | { failed: string },
): Pick<Subject, 'kind' | 'mediaType' | 'media' | 'integrity' | 'measures'> {
  const nothing = { failed: 'the file could not be read far enough to be measured' }
  if ('failed' in seen)
    return { kind: 'other', mediaType: 'application/octet-stream', media: nothing, integrity: seen, measures: {} }
  const { mediaType, kind, media, violations, complete } = seen
  return { kind, mediaType, media: media ?? nothing, integrity: { violations, complete }, measures: {} }
}

function reportOf(file: string, subject: Subject, { profile, destinations, day }: Plan): FileReport {
  const isWhole = !isFailure(subject.integrity) && subject.integrity.violations.length === 0
  // Of a file that is not whole nothing else is said: no measurement of it means anything.
  const evaluated =
    profile &&
    (isWhole
      ? evaluateOn(subject, { checks: profile.checks }, day)
      : runChecks(subject, { checks: { [integrityCheck.id]: { enabled: true } } }, [integrityCheck]))
  const placed = evaluateDestinations(subject, destinations).map((result) => ({
    ...result,
    requirements: result.requirements.filter(({ check_id }) => isWhole || check_id === integrityCheck.id),
  }))
  const checks = evaluated?.checks ?? []
  const fails =
    evaluated?.summary === 'fail' ||
    placed.some(({ verdict }) => verdict === 'does_not_fit' || verdict === 'fits_after_repair')
  const isOpen = checks.some(({ status }) => status === 'error') || placed.some(({ verdict }) => verdict === 'unknown')
  return {
    file,
    bytes: subject.bytes,
    media_type: subject.mediaType,
    kind: findMediaType(subject.mediaType)?.kind ?? subject.kind,
    outcome: fails ? 'fails' : isOpen ? 'undecided' : 'passes',
    summary: evaluated?.summary ?? null,
    checks,
    destinations: placed,
  }
}
