import { z } from 'zod'
import { CATALOGUE } from './catalogue'
import type { Check } from './check'
import { DEFAULT_CONFIDENCE_FLOOR, ENGINE_VERSION } from './engine'
import { allOf } from './wording'

/** The page `docs/checks.md`, written from the catalogue: it cannot say anything the engine does not do. */
export function describeCatalogue(catalogue: readonly Check[] = CATALOGUE): string {
  return `${[
    '# Pre-QC checks',
    'Written by `npm run docs:checks` from the catalogue of the engine; do not edit it by hand.',
    `Engine version ${ENGINE_VERSION}, ${catalogue.length} checks. A check is one file under \`lib/checks/\`, a pure function from measured facts to a finding; what it passes and what it accuses is in its folder under \`lib/checks/specs/\`. What is not listed here is not checked.`,
    [
      '- The worst check decides a result: fail, then warning, then pass. Without a check that evaluated anything the result is *not applicable*, never pass.',
      '- A check that could not run says so as an error with its reason, and the result is a warning at least.',
      '- *Skipped* means that nothing was evaluated: no threshold is set, or the file has nothing of the kind. It says which.',
      `- A fail the engine is less than ${DEFAULT_CONFIDENCE_FLOOR * 100} % sure of is shown as a warning that needs eyes.`,
      '- Confidence is 1 for what is measured exactly. Elsewhere each check says what it may not see, and how its confidence rises with the distance from the limit or with what was sampled; an estimate is never 1.',
      '- A media category may switch each check on or off, make it blocking (fail) or advisory (warning), and set its thresholds.',
      '- A limit belongs to what is allowed: what is measured equal to a least or a most, or just as far away as a tolerance says, passes. Two files exactly as near as the distance of near_duplicate_check are taken for the same. Where a check measures in steps (loudness 0.005 LU, silence 0.01 s, captions 0.1 characters per second), it allows one step more.',
      '- “Reasoned” names a default that no standard gives, with the reason for it.',
    ].join('\n'),
    table(
      ['check', 'applies to', 'severity', 'without settings'],
      catalogue.map((check) => [
        `[${check.id}](#${check.id})`,
        allOf(check.kinds),
        check.severity,
        check.enabledByDefault ? 'on' : 'off',
      ]),
    ),
    ...catalogue.map(describeCheck),
  ].join('\n\n')}\n`
}

function describeCheck(check: Check): string {
  const thresholds = Object.entries(check.thresholds.shape).map(([key, schema]) => {
    const meta = z.globalRegistry.get(schema)
    return [`\`${key}\``, meta?.title ?? '', meta?.unit ?? '', defaultOf(check, key), meta?.source ?? '']
  })
  return [
    `## ${check.id}`,
    `**${check.label}** (${allOf(check.kinds)}; ${check.severity}${check.enabledByDefault ? '' : '; off unless switched on'}). ${check.describe}`,
    `Confidence: ${check.confidence}`,
    thresholds.length > 0
      ? table(['threshold', 'meaning', 'unit', 'default', 'source'], thresholds)
      : 'It has no thresholds.',
  ].join('\n\n')
}

function defaultOf(check: Check, key: string): string {
  const value: unknown = check.thresholds.parse({})[key]
  if (value === null) return 'not set'
  if (Array.isArray(value)) return value.length === 0 ? 'not set' : value.join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'not set' : JSON.stringify(value)
  return String(value)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
