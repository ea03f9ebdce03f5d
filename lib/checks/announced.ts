import type { Subject } from './check'
import { type CheckResult, type CheckSettings, type EngineSettings, type EvaluationResult, runChecks } from './engine'

/**
 * Announced rules: a stricter rule is announced before it holds. Until its day a violation warns and says from when it will
 * fail; from that day (UTC) on it fails. Days are `YYYY-MM-DD`.
 */

type Settings = Readonly<Record<string, CheckSettings>>

/** The settings as they hold on a day, every announcement decided. */
export function settingsOn(checks: Settings, day: string): Record<string, CheckSettings> {
  return Object.fromEntries(
    Object.entries(checks).map(([id, { fails_from, ...settings }]) => [
      id,
      fails_from === undefined ? settings : { ...settings, severity: day < fails_from ? 'warning' : 'fail' },
    ]),
  )
}

/** Whether a rule began to hold after the one day and up to the other: what was evaluated before is to be evaluated anew. */
export const hasBegun = (checks: Settings, evaluatedOn: string, today: string) =>
  Object.values(checks).some(
    ({ fails_from }) => fails_from !== undefined && evaluatedOn < fails_from && fails_from <= today,
  )

/** Evaluates one measured file by the settings as they hold on a day. */
export function evaluateOn(subject: Subject, settings: EngineSettings, day: string): EvaluationResult {
  const verdict = runChecks(subject, { ...settings, checks: settingsOn(settings.checks, day) })
  return { ...verdict, checks: verdict.checks.map((line) => announce(line, settings.checks[line.check_id], day)) }
}

function announce(line: CheckResult, settings: CheckSettings | undefined, day: string): CheckResult {
  const from = settings?.fails_from
  if (from === undefined || day >= from || line.status !== 'warning') return line
  return { ...line, details: `${line.details} Announced: from ${from} on this fails.` }
}
