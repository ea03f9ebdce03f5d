import type { CheckStatus, ResultSummary } from '@/lib/vocabulary'

/**
 * The worst check decides: fail, then warning, then pass. What could not run counts as a warning at least, a waived
 * check as passed; skipped ones do not count, and where nothing counts the summary is `not_applicable`, never `pass`.
 */
export function summarise(checks: readonly { status: CheckStatus }[]): ResultSummary {
  const has = (...statuses: CheckStatus[]) => checks.some((check) => statuses.includes(check.status))
  if (has('fail')) return 'fail'
  if (has('warning', 'error')) return 'warning'
  return has('pass', 'waived') ? 'pass' : 'not_applicable'
}
