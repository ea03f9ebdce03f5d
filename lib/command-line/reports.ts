import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CheckResult, ENGINE_VERSION } from '@/lib/checks/engine'
import { findMediaType } from '@/lib/domain/files/media-types'
import { formatBytes, formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import type { FileReport } from './check-files'

/** Reports of files as text for people, and in the formats that build servers read. Pure. */

type Requirement = FileReport['destinations'][number]['requirements'][number]

/** One line of a report, whatever it comes from. */
type Line = {
  /** The destination's id, or `profile`. */
  group: string
  check: string
  label: string
  /** `advice`: it is not as wanted, and decides nothing. */
  outcome: 'met' | 'not_met' | 'advice' | 'open' | 'not_applicable'
  details: string
  clause: string | null
  fix: string | null
  measured: unknown
  expected: unknown
}

const OUTCOME_OF_STATUS: Record<CheckResult['status'], Line['outcome']> = {
  pass: 'met',
  fail: 'not_met',
  warning: 'advice',
  error: 'open',
  skipped: 'not_applicable',
  waived: 'met',
}

function linesOf({ checks, destinations }: FileReport): Line[] {
  return [
    ...checks.map((line) => ({
      group: 'profile',
      check: line.check_id,
      label: line.label,
      outcome: OUTCOME_OF_STATUS[line.status],
      details: line.details,
      clause: line.standard ?? null,
      fix: line.fix ?? null,
      measured: line.measured ?? null,
      expected: line.expected ?? null,
    })),
    ...destinations.flatMap(({ destination_id, requirements }) =>
      requirements.map((each) => ({
        group: destination_id,
        check: each.check_id ?? 'kind_of_file',
        label: each.label,
        outcome: outcomeOf(each),
        details: each.details,
        clause: each.clause,
        fix: null,
        measured: each.measured ?? null,
        expected: each.expected ?? null,
      })),
    ),
  ]
}

function outcomeOf({ outcome, level }: Requirement): Line['outcome'] {
  if (outcome === 'not_met') return level === 'required' ? 'not_met' : 'advice'
  // What is only recommended leaves nothing open.
  if (outcome === 'unknown') return level === 'required' ? 'open' : 'not_applicable'
  return outcome
}

export function totalsOf(reports: readonly FileReport[]) {
  const of = (outcome: FileReport['outcome']) => reports.filter((each) => each.outcome === outcome).length
  return { files: reports.length, passes: of('passes'), fails: of('fails'), undecided: of('undecided') }
}

const SAYS: Record<Line['outcome'], string> = {
  met: 'met',
  not_met: 'FAILS',
  advice: 'warning',
  open: 'undecided',
  not_applicable: 'does not apply',
}
const VERDICTS = { passes: 'PASSES', fails: 'FAILS', undecided: 'UNDECIDED' } as const

/** For a terminal: a file may hold what would steer it. */
export const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')

export function asText(reports: readonly FileReport[], titles: ReadonlyMap<string, string>): string {
  const blocks = reports.map((report) => {
    const lines = linesOf(report)
    const linesUnder = ({ group }: { group: string }) =>
      lines
        .filter((line) => line.group === group && line.outcome !== 'met' && line.outcome !== 'not_applicable')
        .flatMap(({ outcome, label, details, clause, fix }) => [
          `    ${SAYS[outcome]}: ${label}. ${details}`,
          ...(clause ? [`      ${clause}`] : []),
          ...(fix ? [`      Fix: ${fix}`] : []),
        ])
    return [
      `${VERDICTS[report.outcome]}  ${report.file}  (${findMediaType(report.media_type)?.label ?? report.media_type}, ${formatBytes(report.bytes)})`,
      ...(report.summary
        ? [`  Profile: ${LABELS.resultSummary[report.summary]}`, ...linesUnder({ group: 'profile' })]
        : []),
      ...report.destinations.flatMap(({ destination_id, version, verdict }) => [
        `  ${titles.get(destination_id) ?? destination_id} (version ${version}): ${LABELS.destinationVerdict[verdict]}`,
        ...linesUnder({ group: destination_id }),
      ]),
    ]
      .map(plain)
      .join('\n')
  })
  const { files, passes, fails, undecided } = totalsOf(reports)
  return `${blocks.join('\n\n')}\n\n${formatCount(files, 'file')}: ${passes} passed, ${fails} failed, ${undecided} undecided\n`
}

export const asJson = (reports: readonly FileReport[]): string =>
  `${JSON.stringify({ engine_version: ENGINE_VERSION, totals: totalsOf(reports), files: reports }, null, 2)}\n`

// XML 1.0, 2.2: what a document may hold at all.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const xml = (text: string) =>
  text
    .replace(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ')

/** JUnit: a suite for each file, a case for each check and requirement; what is undecided is an error. */
export function asJunit(reports: readonly FileReport[]): string {
  const suites = reports.map((report) => {
    const lines = linesOf(report)
    const of = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length
    const cases = lines.map((line) => {
      const name = line.clause ? `${line.label} (${line.clause})` : line.label
      const message = `message="${xml(line.details)}"`
      const body = {
        met: '',
        not_met: `<failure type="${line.check}" ${message}/>`,
        advice: `<system-out>${xml(`Warning: ${line.details}`)}</system-out>`,
        open: `<error type="${line.check}" ${message}/>`,
        not_applicable: `<skipped ${message}/>`,
      }[line.outcome]
      return `    <testcase classname="${xml(`${line.group}.${line.check}`)}" name="${xml(name)}">${body}</testcase>`
    })
    const counts = `tests="${lines.length}" failures="${of('not_met')}" errors="${of('open')}" skipped="${of('not_applicable')}"`
    return [`  <testsuite name="${xml(report.file)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="greenroom">\n${suites.join('\n')}\n</testsuites>\n`
}

const uriOf = (file: string) =>
  path.isAbsolute(file)
    ? pathToFileURL(file).href
    : file.split(path.sep).map(encodeURIComponent).join('/').replace(/^\.\//, '')

/** SARIF 2.1.0 (OASIS): a result for each line that is not met, or undecided. */
export function asSarif(reports: readonly FileReport[]): string {
  const found = reports.flatMap((report) =>
    linesOf(report)
      .filter(({ outcome }) => outcome !== 'met' && outcome !== 'not_applicable')
      .map((line) => ({ file: report.file, line })),
  )
  const rules = [...new Map(found.map(({ line }) => [line.check, line.label]))].map(([id, name]) => ({
    id,
    shortDescription: { text: name },
  }))
  const results = found.map(({ file, line }) => ({
    ruleId: line.check,
    ...(line.outcome === 'open'
      ? { kind: 'open', level: 'none' }
      : { kind: 'fail', level: line.outcome === 'not_met' ? 'error' : 'warning' }),
    message: { text: line.clause ? `${line.details} (${line.clause})` : line.details },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }],
    properties: { group: line.group, measured: line.measured, expected: line.expected },
  }))
  const driver = { name: 'Greenroom', version: ENGINE_VERSION, rules }
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
    },
    null,
    2,
  )}\n`
}
