import type { ContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { formatBytes, formatCount, formatDuration } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import type { Pen } from '../pen'
import { Tag } from '../tags'
import type { Line, Typesetter } from '../typesetter'

export type SheetImage = { data: Buffer; width: number; height: number }
type SheetFile = ContactSheet['listed'][number]

export const COLUMNS = 4
const GAP = 14
const WIDTH = (BODY_WIDTH - (COLUMNS - 1) * GAP) / COLUMNS
const IMAGE = 78
const NAME = { size: 7, leading: 9.5, most: 2 }
/** Characters of the end of a long name that are kept: its version and its extension. */
const TAIL = 18
const SMALL = { size: 7, leading: 10 }
const TEXT_TOP = IMAGE + 5
/** Five of them on a page. */
const HEIGHT = TEXT_TOP + NAME.most * NAME.leading + 3 * SMALL.leading + 7

const WARN = '#8a5a00'
const COLORS: Record<string, string> = { fail: COLOR.fail, warning: WARN, pass: COLOR.accent }

/** Up to four files beside each other. */
export function sheetRow(set: Typesetter, cells: readonly { file: SheetFile; image: SheetImage | null }[]): Block {
  const drawn = cells.map(({ file, image }) => cell(set, file, image))
  return {
    height: HEIGHT,
    tags: drawn.flatMap(({ tags }) => tags),
    draw: (pen) => {
      for (const [column, { draw }] of drawn.entries()) draw(pen.at(column * (WIDTH + GAP), 0))
    },
  }
}

/** The image above its name, what it is, its verdict and its decision. */
function cell(set: Typesetter, file: SheetFile, image: SheetImage | null): { tags: Tag[]; draw: (pen: Pen) => void } {
  const name = nameLines(set, file.name)
  const said = set.oneLine(factsOf(file), WIDTH, SMALL.size)
  const { word, color } = verdictOf(file)
  const verdict = set.oneLine(`Checks: ${word}`, WIDTH, SMALL.size)
  const decision = set.oneLine(
    file.decision === 'pending' ? 'To decide' : LABELS.reviewDecision[file.decision],
    WIDTH,
    SMALL.size,
    file.decision === 'pending' ? 400 : 700,
  )
  const decided = { approved: COLOR.accent, rejected: COLOR.fail, pending: COLOR.muted }[file.decision]
  const none = set.oneLine('No image', WIDTH, SMALL.size)
  const [nameTag, factsTag, verdictTag, decisionTag] = [new Tag('H2'), new Tag('P'), new Tag('P'), new Tag('P')]
  const figure = image && new Tag('Figure', { alt: `Image of ${set.clean(file.name)}` })
  return {
    tags: [nameTag, ...(figure ? [figure] : []), factsTag, verdictTag, decisionTag],
    draw: (pen) => {
      if (image && figure) pen.image(image.data, { ...within(image), tag: figure })
      else pen.words(none, { top: IMAGE / 2 - 5, size: SMALL.size, color: COLOR.muted })
      pen.rule({ top: IMAGE + 2, width: WIDTH })
      pen.lines(name, { top: TEXT_TOP, width: WIDTH, ...NAME, align: 'left', tag: nameTag })
      const top = TEXT_TOP + name.length * NAME.leading
      pen.words(said, { top, size: SMALL.size, color: COLOR.muted, tag: factsTag })
      pen.words(verdict, { top: top + SMALL.leading, size: SMALL.size, color, tag: verdictTag })
      pen.words(decision, { top: top + 2 * SMALL.leading, size: SMALL.size, color: decided, tag: decisionTag })
    },
  }
}

/** A name that is too long loses its middle. */
function nameLines(set: Typesetter, name: string): Line[] {
  const lines = (text: string) => set.lines(text, WIDTH, NAME.size, 700)
  const characters = Array.from(name)
  const tail = characters.slice(-TAIL).join('')
  let shown = lines(name)
  for (let head = characters.length - TAIL - 1; shown.length > NAME.most && head > 0; head--)
    shown = lines(`${characters.slice(0, head).join('')}…${tail}`)
  return shown.slice(0, NAME.most)
}

/** As large as fits, standing on the line above the name. */
function within({ width, height }: SheetImage) {
  const scale = Math.min(WIDTH / width, IMAGE / height)
  const shown = { width: width * scale, height: height * scale }
  return { ...shown, left: (WIDTH - shown.width) / 2, top: IMAGE - shown.height }
}

const factsOf = ({ version, width, height, durationSeconds, pages, size }: SheetFile) =>
  [
    `v${version}`,
    width !== null && height !== null && `${Math.round(width)} × ${Math.round(height)}`,
    durationSeconds !== null && formatDuration(durationSeconds),
    pages !== null && formatCount(pages, 'page'),
    formatBytes(size),
  ]
    .filter(Boolean)
    .join(' · ')

function verdictOf({ result }: SheetFile): { word: string; color: string } {
  if (!result) return { word: 'not run', color: COLOR.muted }
  if (result.status === 'failed') return { word: 'could not run', color: COLOR.fail }
  if (result.summary === null) return { word: LABELS.resultStatus[result.status].toLowerCase(), color: COLOR.muted }
  return { word: LABELS.resultSummary[result.summary].toLowerCase(), color: COLORS[result.summary] ?? COLOR.muted }
}
