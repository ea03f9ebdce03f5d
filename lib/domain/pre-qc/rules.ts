import type { CheckStatus, ResultStatus } from '@/lib/vocabulary'
import type { BlobKey } from '../kernel/blob-store'

type Line = { check_id: string; label: string; status: CheckStatus; needs_eyes?: true | undefined }

/** What became of one check from one version of a file to the next. `before` is null where it did not run then. */
type CheckChange = { check_id: string; label: string; before: CheckStatus | null; after: CheckStatus }

export type Comparison = { fixed: CheckChange[]; still_failing: CheckChange[]; newly_broken: CheckChange[] }

/** Statuses that ask for something to be done. */
export const isProblem = (status: CheckStatus) => status === 'fail' || status === 'warning' || status === 'error'

const GRAVITY = ['fail', 'error', 'warning'] as const satisfies readonly CheckStatus[]

/** How many checks ask for something to be done, and the gravest in short: the first of those that fail, if any does. */
export function mainFinding<L extends Line & { details: string }>(lines: readonly L[]) {
  const problems = lines.filter(({ status }) => isProblem(status))
  const found = GRAVITY.flatMap((status) => problems.find((line) => line.status === status) ?? [])[0]
  return {
    findings: problems.length,
    finding: found
      ? { check_id: found.check_id, label: found.label, status: found.status, details: found.details }
      : null,
  }
}

type Attempt = { status: ResultStatus; checks: readonly Pick<Line, 'status'>[] }

/** Whether a file, or a part of its checks, could not be checked: worth running again as it is. */
export const couldNotRun = (result: Attempt | null) =>
  result?.status === 'failed' ||
  (result?.status === 'completed' && result.checks.some(({ status }) => status === 'error'))

/** Whether a person has to look: the engine is less sure of a finding than a fail needs. A waiver has decided it. */
export const needsEyes = (checks: readonly Pick<Line, 'status' | 'needs_eyes'>[]) =>
  checks.some((check) => check.needs_eyes === true && check.status !== 'waived')

/** Why a file is not checked again; null when it can be. */
export function whyNotRerun(
  file: { isCurrent: boolean; isRemoved: boolean },
  result: Pick<Attempt, 'status'> | null,
): string | null {
  if (!file.isCurrent) return 'A newer version has replaced it.'
  if (file.isRemoved) return 'It was removed by a retention rule.'
  if (!result) return 'It has not been checked yet: its checks run when the batch is submitted.'
  if (result.status === 'queued' || result.status === 'running') return `Its checks are ${result.status} already.`
  return null
}

/**
 * A resupplied file against the one it replaces, check by check. A waiver does not cover the next version, so what was
 * waived and is found again still fails. Fixed is only what was inspected again and passes: a check that no longer
 * applies, or could not run, proves nothing.
 */
export function compareChecks(before: readonly Line[], after: readonly Line[]): Comparison {
  const comparison: Comparison = { fixed: [], still_failing: [], newly_broken: [] }
  const past = new Map(before.map((line) => [line.check_id, line.status]))
  for (const { check_id, label, status } of after) {
    const was = past.get(check_id) ?? null
    const wasProblem = was !== null && (isProblem(was) || was === 'waived')
    const change = { check_id, label, before: was, after: status }
    if (isProblem(status)) comparison[wasProblem ? 'still_failing' : 'newly_broken'].push(change)
    else if (wasProblem && status === 'pass') comparison.fixed.push(change)
  }
  return comparison
}

/**
 * What a check says to people outside, who see one file alone: the near-duplicate check names another file of the
 * project, which may lie in a batch that is not theirs.
 */
export const wordsOutside = <F extends string | null | undefined>(line: {
  check_id: string
  details: string
  fix: F
}) =>
  line.check_id === 'near_duplicate_check'
    ? {
        details: 'It looks like another file of the project; copies of one motif are not wanted.',
        fix: 'Compare it with what else you deliver and keep one, or send the one as the next version of the other.',
      }
    : { details: line.details, fix: line.fix ?? null }

/** Where an image of what a check found is read, counted from 1 over the whole result. */
export const evidencePath = (resultId: string, number: number) => `/api/pre-qc/results/${resultId}/evidence/${number}`

/** Where it is stored: with the file, so that it goes when that goes. */
export const evidenceKey = (fileId: string, resultId: string, number: number): BlobKey =>
  `derived/${fileId}/e-${resultId.replaceAll('-', '')}-${number}.webp`

/** The job that checks the file of a result, by itself, is found by this key. */
export const checkKey = (resultId: string) => `check_file:${resultId}`
