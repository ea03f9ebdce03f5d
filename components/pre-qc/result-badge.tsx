import { StatusBadge, StatusText, type Tone } from '@/components/ui/badge'
import { type CheckStatus, LABELS, type ResultStatus, type ResultSummary } from '@/lib/vocabulary'

const SUMMARY_TONES: Record<ResultSummary, Tone> = {
  pass: 'pass',
  warning: 'warn',
  fail: 'fail',
  not_applicable: 'neutral',
}

export const CHECK_TONES: Record<CheckStatus, Tone> = {
  pass: 'pass',
  warning: 'warn',
  fail: 'fail',
  skipped: 'neutral',
  error: 'warn',
  waived: 'info',
}

/** What the checks say of a file, or how far they are. */
export function ResultBadge({
  result,
  quiet = false,
}: {
  result: { status: ResultStatus; summary: ResultSummary | null; progress?: number } | null
  quiet?: boolean
}) {
  const Shape = quiet ? StatusText : StatusBadge
  if (!result) return <span className="text-sm text-ink-subtle">Not checked</span>
  if (result.status === 'queued') return <Shape tone="busy">Queued</Shape>
  if (result.status === 'running')
    return <Shape tone="busy">{result.progress ? `Checking, ${result.progress} %` : 'Checking'}</Shape>
  if (result.status === 'failed' || result.summary === null) return <Shape tone="fail">Could not run</Shape>
  return <Shape tone={SUMMARY_TONES[result.summary]}>{LABELS.resultSummary[result.summary]}</Shape>
}

/** The gravest finding in its own words, on one line, and how many more there are. */
export function FindingWords({
  result,
  lines = 1,
}: {
  result: { findings: number; finding: { label: string; details: string } | null } | null
  /** What does not fit these lines is cut. */
  lines?: 1 | 2
}) {
  if (!result?.finding) return null
  const { label, details } = result.finding
  return (
    <span className="flex max-w-full gap-1 text-xs text-ink-muted" title={`${label}: ${details}`}>
      <span className={lines === 1 ? 'truncate' : 'line-clamp-2'}>{details}</span>
      {result.findings > 1 && <span className="shrink-0">+{result.findings - 1}</span>}
    </span>
  )
}
