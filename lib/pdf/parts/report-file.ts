import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { type CheckStatus, LABELS } from '@/lib/vocabulary'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'

const NAME = { size: 10, leading: 14, most: 3 }
const SMALL = { size: 7.5, leading: 11 }
const TEXT = { size: 8.5, leading: 12 }
const VERDICT_WIDTH = 92
const STATUS_WIDTH = 78
const WIDTH = BODY_WIDTH - STATUS_WIDTH
/** Pieces of a finding that is long: what is divided where a page ends is never more than this. */
const PIECE_LINES = 12
const WORST_FIRST: readonly CheckStatus[] = ['fail', 'error', 'warning', 'waived']
const COLORS: Partial<Record<string, string>> = {
  fail: COLOR.fail,
  warning: '#8a5a00',
  error: '#8a5a00',
  pass: COLOR.accent,
}

type ReportFile = BatchReport['files'][number]

/** One file: its verdict, then each finding with what was measured and how to fix it. */
export function reportFile(set: Typesetter, file: ReportFile): Block[] {
  const checks = file.result?.checks ?? []
  const findings = checks
    .filter(({ status }) => isProblem(status) || status === 'waived')
    .sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
  return [title(set, file), ...findings.flatMap((check) => finding(set, check)), rest(set, file)]
}

function verdictOf({ result }: ReportFile): { word: string; color: string } {
  if (!result) return { word: 'Not checked', color: COLOR.muted }
  if (result.status === 'failed') return { word: 'Could not run', color: COLOR.fail }
  if (result.summary === null) return { word: LABELS.resultStatus[result.status], color: COLOR.muted }
  return { word: LABELS.resultSummary[result.summary], color: COLORS[result.summary] ?? COLOR.muted }
}

function title(set: Typesetter, file: ReportFile): Block {
  const { word, color } = verdictOf(file)
  const name = set.shortened(file.name, BODY_WIDTH - VERDICT_WIDTH, NAME.size, NAME.most, 700)
  const verdict = set.oneLine(word, VERDICT_WIDTH, NAME.size, 700)
  const facts = [
    `Version ${file.version}`,
    formatBytes(file.size),
    file.media_type,
    file.decision !== 'pending' && LABELS.reviewDecision[file.decision],
    file.result && `Settings ${file.result.profile.version}, engine ${file.result.engine_version ?? '–'}`,
    file.result?.measured_at && `measured ${file.result.measured_at.slice(0, 16).replace('T', ' ')} UTC`,
  ]
  const line = set.oneLine(facts.filter(Boolean).join(' · '), BODY_WIDTH, SMALL.size)
  const hash = set.oneLine(`SHA-256 ${file.sha256}`, BODY_WIDTH, SMALL.size)
  const top = 16 + name.length * NAME.leading
  const [nameTag, verdictTag, factsTag, hashTag] = [new Tag('H2'), new Tag('P'), new Tag('P'), new Tag('P')]
  return {
    height: top + 2 * SMALL.leading + 6,
    rule: { color: COLOR.strong, weight: 0.8 },
    keepsWithNext: true,
    bookmark: set.clean(file.name),
    tags: [nameTag, verdictTag, factsTag, hashTag],
    draw: (pen) => {
      pen.lines(name, { top: 16, width: BODY_WIDTH - VERDICT_WIDTH, ...NAME, align: 'left', tag: nameTag })
      pen.words(verdict, {
        top: 16,
        left: BODY_WIDTH - VERDICT_WIDTH,
        width: VERDICT_WIDTH,
        size: NAME.size,
        color,
        align: 'right',
        tag: verdictTag,
      })
      pen.words(line, { top: top + 1, size: SMALL.size, color: COLOR.muted, tag: factsTag })
      pen.words(hash, { top: top + 1 + SMALL.leading, size: SMALL.size, color: COLOR.muted, tag: hashTag })
    },
  }
}

function finding(set: Typesetter, check: CheckLine): Block[] {
  const status = set.oneLine(LABELS.checkStatus[check.status], STATUS_WIDTH - 8, TEXT.size, 700)
  const label = set.oneLine(check.label, WIDTH, TEXT.size, 700)
  const said = [
    check.details,
    isProblem(check.status) && check.fix ? `How to fix it: ${check.fix}` : '',
    check.waiver ? `Waived by ${check.waiver.by.name}: ${check.waiver.reason}` : '',
  ]
  const lines = said.filter(Boolean).flatMap((text) => set.lines(text, WIDTH, TEXT.size))
  const pieces = Array.from({ length: Math.max(1, Math.ceil(lines.length / PIECE_LINES)) }, (_, piece) =>
    lines.slice(piece * PIECE_LINES, (piece + 1) * PIECE_LINES),
  )
  const [labelTag, saidTag] = [new Tag('H3'), new Tag('P')]
  return pieces.map((piece, index): Block => {
    const isFirst = index === 0
    const isLast = index === pieces.length - 1
    const top = isFirst ? 6 + TEXT.leading : 0
    return {
      height: top + piece.length * TEXT.leading + (isLast ? 6 : 0),
      ...(isLast && { rule: { color: COLOR.rule, weight: 0.5 } }),
      tags: [labelTag, saidTag],
      draw: (pen) => {
        if (isFirst) {
          pen.words(status, { top: 6, size: TEXT.size, color: COLORS[check.status] ?? COLOR.muted, tag: labelTag })
          pen.words(label, { left: STATUS_WIDTH, top: 6, size: TEXT.size, tag: labelTag })
        }
        pen.lines(piece, {
          left: STATUS_WIDTH,
          top,
          width: WIDTH,
          ...TEXT,
          color: COLOR.muted,
          align: 'left',
          tag: saidTag,
        })
      },
    }
  })
}

/** What needs no line of its own. */
function rest(set: Typesetter, { result }: ReportFile): Block {
  const of = (status: CheckStatus) => result?.checks.filter((check) => check.status === status).length ?? 0
  const words = result
    ? (result.failure ?? `${formatCount(of('pass'), 'check')} passed, ${of('skipped')} did not apply.`)
    : 'The checks run when the batch is submitted.'
  const lines = set.shortened(words, WIDTH, TEXT.size, 4)
  const tag = new Tag('P')
  return {
    height: 6 + lines.length * TEXT.leading + 8,
    tags: [tag],
    draw: (pen) =>
      pen.lines(lines, { left: STATUS_WIDTH, top: 6, width: WIDTH, ...TEXT, color: COLOR.muted, align: 'left', tag }),
  }
}
