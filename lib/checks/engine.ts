import type { MediaKind } from '@/lib/media/facts'
import type { Failure } from '@/lib/media/measurements'
import type { ResultSummary } from '@/lib/vocabulary'
import { CATALOGUE } from './catalogue'
import {
  type Check,
  type Finding,
  isFailure,
  type MediaCheck,
  type Occurrence,
  type Quantity,
  type Reading,
  type Subject,
  skip,
} from './check'
import { summarise } from './summary'
import { decimal } from './wording'

/** Raised whenever a check is added or evaluates differently: a result says which engine made it. */
export const ENGINE_VERSION = '2.23.0'

/** Fails that the engine is less sure of than this are shown as warnings that need eyes. */
export const DEFAULT_CONFIDENCE_FLOOR = 0.8

/** What a media category says of its checks; what it does not say is the check's own default. */
export type CheckSettings = {
  enabled?: boolean
  severity?: 'warning' | 'fail'
  /** The first day on which a violation fails; see `announced`. The engine itself knows no calendar. */
  fails_from?: string
  thresholds?: Record<string, unknown>
}

export type EngineSettings = {
  checks: Readonly<Record<string, CheckSettings>>
  /** Fails that the engine is less sure of are warnings that need eyes, 0 to 1. */
  confidence_floor?: number
}

/** One line of a result, in the words of the interface: stored and sent as it stands. */
export type CheckResult = {
  check_id: string
  label: string
  status: 'pass' | 'warning' | 'fail' | 'skipped' | 'error' | 'waived'
  confidence: number
  details: string
  severity: 'blocking' | 'advisory'
  measured?: Quantity
  expected?: Quantity
  unit?: string
  standard?: string
  fix?: string
  occurrences?: Occurrence[]
  /** It would fail, were the engine surer of it: a person decides. */
  needs_eyes?: true
}

export type EvaluationResult = {
  summary: ResultSummary
  checks: CheckResult[]
  engine_version: string
}

/**
 * Evaluates one measured file. Pure and total: a check that crashes or lacks what it needs is an `error` line of the
 * result, never an exception and never a pass.
 */
export function runChecks(
  subject: Subject,
  settings: EngineSettings,
  catalogue: readonly Check[] = CATALOGUE,
): EvaluationResult {
  const floor = settings.confidence_floor ?? DEFAULT_CONFIDENCE_FLOOR
  const checks = catalogue
    .filter((check) => check.kinds.includes(subject.kind))
    .filter((check) => settings.checks[check.id]?.enabled ?? check.enabledByDefault)
    .map((check) => runCheck(check, subject, settings.checks[check.id] ?? {}, floor))
  return { summary: summarise(checks), checks, engine_version: ENGINE_VERSION }
}

/** What one check says by these thresholds, as one that blocks; undefined where it does not look at files of that kind. */
export const askCheck = (
  subject: Subject,
  check: Check,
  thresholds: Record<string, unknown>,
): CheckResult | undefined =>
  runChecks(subject, { checks: { [check.id]: { enabled: true, severity: 'fail', thresholds } } }, [check]).checks[0]

function runCheck(check: Check, subject: Subject, settings: CheckSettings, floor: number): CheckResult {
  const blocking = settings.severity ? settings.severity === 'fail' : check.severity === 'blocking'
  const line = (finding: Omit<Finding, 'status'> & { status: CheckResult['status'] }): CheckResult => {
    const { status, confidence, details, ...rest } = finding
    return {
      check_id: check.id,
      label: check.label,
      status,
      confidence,
      details,
      severity: blocking ? 'blocking' : 'advisory',
      ...rest,
    }
  }
  try {
    const finding = evaluate(check, subject, settings)
    if ('failed' in finding) return line({ status: 'error', confidence: 0, details: `Not checked: ${finding.failed}.` })
    return line(weigh(finding, blocking, floor))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return line({ status: 'error', confidence: 0, details: `Not checked: the check itself failed (${reason}).` })
  }
}

function evaluate(check: Check, subject: Subject, settings: CheckSettings): Finding | Failure {
  const thresholds = check.thresholds.safeParse(settings.thresholds ?? {})
  if (!thresholds.success) {
    const issue = thresholds.error.issues[0]
    return {
      failed: `the threshold “${issue?.path.join('.')}” of this media category is not valid (${issue?.message})`,
    }
  }
  if (check.reads === 'file') return check.run(subject, thresholds.data)
  const reading = readingFor(check, subject)
  return 'measures' in reading ? check.run(reading, thresholds.data) : reading
}

/** What a check asked for, or why it has nothing to evaluate, or why it cannot have it. */
function readingFor(check: MediaCheck, subject: Subject): Reading<MediaKind> | Finding | Failure {
  if (isFailure(subject.media)) return subject.media
  const media = subject.media
  if (media.kind !== subject.kind) return { failed: `the file was measured as ${media.kind}, not as ${subject.kind}` }
  const reason = check.notFor?.(media, subject.expectations)
  if (reason) return skip(reason)
  for (const name of check.needs) {
    const measure = subject.measures[name]
    if (!measure && subject.depth === 'quick') {
      const leftOut = subject.kind === 'archive' ? 'run HTML5 ads' : 'read every frame and sample'
      return skip(`The quick profile of this media category does not ${leftOut}. Set it to full to have this checked.`)
    }
    if (!measure) return { failed: name === 'banner' ? 'the ad was not run' : `its ${name} were not measured` }
    if (isFailure(measure)) return measure
  }
  const measures = Object.fromEntries(Object.entries(subject.measures).filter(([, measure]) => !isFailure(measure)))
  return { ...subject, kind: media.kind, media, measures } as Reading<MediaKind>
}

/** Severity and confidence turn what a check found into what the result says. */
function weigh(finding: Finding, blocking: boolean, floor: number): Finding & Pick<CheckResult, 'needs_eyes'> {
  if (finding.status !== 'fail') return finding
  if (finding.confidence < floor) {
    const sure = `${decimal(finding.confidence * 100, 0)} %`
    return {
      ...finding,
      status: 'warning',
      needs_eyes: true,
      details: `${finding.details} Needs eyes: the engine is ${sure} sure, and only fails a file from ${decimal(floor * 100, 0)} %.`,
    }
  }
  return blocking ? finding : { ...finding, status: 'warning' }
}
