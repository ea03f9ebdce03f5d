import { counted } from './check'
import type { Finding } from './doctor'

/** How many things a check names on a screen; the JSON names all. */
const SHOWN = 20

/** The findings as a table for a terminal: status, check, value; below it what is wrong, and how to fix it. */
export function asText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat('problem'.length + width + 4)
  const lines = findings.flatMap(({ status, check, value, details, fix, repaired }) => [
    `${status.padEnd('problem'.length)}  ${check.padEnd(width)}  ${value}`,
    ...details.slice(0, SHOWN).map((detail) => `${indent}- ${detail}`),
    ...(details.length > SHOWN ? [`${indent}  and ${details.length - SHOWN} more; --json names all`] : []),
    ...repaired.slice(0, SHOWN).map((sentence) => `${indent}Fixed: ${sentence}`),
    ...(repaired.length > SHOWN ? [`${indent}  and ${repaired.length - SHOWN} more`] : []),
    ...(fix && status !== 'ok' ? [`${indent}Fix: ${fix}`] : []),
  ])
  const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length
  const [warnings, problems] = [count('warning'), count('problem')]
  const summary =
    warnings + problems === 0 ? 'All is well.' : `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`
  return [...lines, '', summary].join('\n')
}

/** What scripts read. `ok` is false when there is a problem; warnings leave it true. */
export const asJson = (findings: readonly Finding[]) => ({
  ok: findings.every(({ status }) => status !== 'problem'),
  checks: findings,
})
