import type { EstimateSheet, SheetLine } from '@/lib/domain/cost-estimates/estimate-sheet'
import { fractionDigits, writeDecimal } from '../amounts'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Line, Typesetter } from '../typesetter'

const TEXT = { size: 9, leading: 12.5 }
const TAG = { size: 7.5, leading: 11 }
const PADDING = { top: 6, bottom: 6 }
const GAP = 16
const NUMBER_WIDTH = 26
/** However long the numbers are, so much is left for the descriptions. */
const LEAST_DESCRIPTION = 170
/** A line item of more lines than this is divided where a page ends; shorter ones stay whole. */
const WHOLE_LINES = 14
/** So many lines of a divided one stay together at either end of it. */
const END_LINES = 3

type Column = { right: number; size: number }
type Columns = { description: number; quantity: Column; unitPrice: Column; amount: Column }
type Amount = { line: Line; right: number; size: number }

/** The line items: one block each, long ones split, under a head that every page repeats. */
export function lineTable(set: Typesetter, sheet: EstimateSheet): Block[] {
  const written = sheet.lines.map((line) => ({
    quantity: writeDecimal(line.quantity),
    unitPrice: writeDecimal(line.unitPrice, sheet.minorUnits),
    amount: writeDecimal(line.amount, sheet.minorUnits),
  }))
  const quantity = alignOnPoint(
    set,
    written.map((amounts) => amounts.quantity),
    'Quantity',
  )
  const unitPrice = alignOnPoint(
    set,
    written.map((amounts) => amounts.unitPrice),
    'Unit price',
  )
  const amount = alignOnPoint(
    set,
    written.map((amounts) => amounts.amount),
    `Amount, ${sheet.currency}`,
  )

  const room = BODY_WIDTH - NUMBER_WIDTH - LEAST_DESCRIPTION - 3 * GAP
  const wanted = quantity.width + unitPrice.width + amount.width
  const size = TEXT.size * Math.min(1, room / wanted)
  const scale = size / TEXT.size
  const columns: Columns = {
    description: BODY_WIDTH - NUMBER_WIDTH - 3 * GAP - wanted * scale,
    amount: { right: BODY_WIDTH, size },
    unitPrice: { right: BODY_WIDTH - amount.width * scale - GAP, size },
    quantity: { right: BODY_WIDTH - (amount.width + unitPrice.width) * scale - 2 * GAP, size },
  }
  const table = new Tag('Table')
  const head = tableHead(set, columns, sheet.currency, table)
  const body = table.add('TBody')
  const place = (column: Column, { lines, indents }: Aligned, index: number): Amount => ({
    line: lines[index] as Line,
    right: column.right - (indents[index] ?? 0) * scale,
    size: column.size,
  })
  const rows = sheet.lines.flatMap((line, index) =>
    row(set, line, index, columns.description, head, { table, body }, [
      place(columns.quantity, quantity, index),
      place(columns.unitPrice, unitPrice, index),
      place(columns.amount, amount, index),
    ]),
  )
  return [head, ...rows]
}

type Aligned = { width: number; lines: Line[]; indents: number[] }

/** Numbers of one column under each other by their decimal point: how far each keeps from the right edge. */
function alignOnPoint(set: Typesetter, amounts: string[], label: string): Aligned {
  const digit = set.width('0', TEXT.size)
  const point = set.width('.', TEXT.size)
  const tail = (digits: number) => (digits === 0 ? 0 : point + digits * digit)
  const longest = Math.max(...amounts.map(fractionDigits))
  const indents = amounts.map((amount) => tail(longest) - tail(fractionDigits(amount)))
  const widths = amounts.map((amount, index) => set.width(amount, TEXT.size) + (indents[index] ?? 0))
  return {
    // A thousand lines are more than one call takes as arguments in some engines; a fold is not.
    width: widths.reduce((widest, width) => Math.max(widest, width), set.width(label, TAG.size)),
    lines: amounts.map((amount) => set.oneLine(amount, Number.POSITIVE_INFINITY, TEXT.size)),
    indents,
  }
}

function tableHead(set: Typesetter, columns: Columns, currency: string, table: Tag): Block {
  const cells = table.add('THead').add('TR')
  const header = () => cells.add('TH', { scope: 'Column' })
  const [numberTag, descriptionTag] = [header(), header()]
  const label = (text: string) => set.oneLine(text, 200, TAG.size)
  const right = { align: 'right', size: TAG.size, color: COLOR.muted, top: 4 } as const
  const [number, description] = [label('#'), label('Description')]
  const amounts = [
    { line: label('Quantity'), edge: columns.quantity.right, tag: header() },
    { line: label('Unit price'), edge: columns.unitPrice.right, tag: header() },
    { line: label(`Amount, ${currency}`), edge: columns.amount.right, tag: header() },
  ]
  return {
    height: 21,
    rule: { color: COLOR.strong, weight: 0.8 },
    keepsWithNext: true,
    tags: [table],
    draw: (pen) => {
      pen.words(number, { top: 4, size: TAG.size, color: COLOR.muted, tag: numberTag })
      pen.words(description, { left: NUMBER_WIDTH, top: 4, size: TAG.size, color: COLOR.muted, tag: descriptionTag })
      for (const { line, edge, tag } of amounts) pen.words(line, { ...right, width: edge, tag })
    },
  }
}

const OPTION_TAG = { none: null, included: 'Option, included', declined: 'Option, not chosen' } as const

function row(
  set: Typesetter,
  line: SheetLine,
  index: number,
  width: number,
  head: Block,
  { table, body }: { table: Tag; body: Tag },
  amounts: Amount[],
): Block[] {
  const cells = body.add('TR')
  const [numberTag, descriptionTag] = [cells.add('TD'), cells.add('TD')]
  const amountTags = amounts.map(() => cells.add('TD'))
  const isDeclined = line.option === 'declined'
  const color = isDeclined ? COLOR.muted : COLOR.ink
  const number = set.oneLine(String(index + 1), NUMBER_WIDTH, TEXT.size)
  const description = set.lines(line.description, width, TEXT.size)
  const note = [OPTION_TAG[line.option], line.unit && `Priced per ${line.unit}`].filter(Boolean).join(' · ')
  const tag = note === '' ? null : set.oneLine(note, width, TAG.size)
  const pieces = inPieces(description)
  return pieces.map((lines, piece) => {
    const isFirst = piece === 0
    const isLast = piece === pieces.length - 1
    const top = isFirst ? PADDING.top : 0
    const textHeight = lines.length * TEXT.leading
    const height = top + textHeight + (isLast ? (tag ? TAG.leading : 0) + PADDING.bottom : 0)
    return {
      height,
      ...(isLast && { rule: { color: COLOR.rule, weight: 0.5 } }),
      keepsWithNext: !isLast && (piece < END_LINES - 1 || piece >= pieces.length - END_LINES),
      repeats: head,
      gapWhenRepeated: isFirst ? 0 : PADDING.top,
      line: index + 1,
      tags: [table],
      draw: (pen) => {
        if (isFirst) pen.words(number, { top, size: TEXT.size, color: COLOR.muted, tag: numberTag })
        pen.lines(lines, {
          left: NUMBER_WIDTH,
          top,
          width,
          size: TEXT.size,
          leading: TEXT.leading,
          color,
          isStruck: isDeclined,
          tag: descriptionTag,
        })
        for (const [column, { line, right, size }] of isFirst ? amounts.entries() : []) {
          pen.words(line, {
            top: top + (TEXT.size - size),
            width: right,
            size,
            color,
            align: 'right',
            isStruck: isDeclined,
            tag: amountTags[column],
          })
        }
        if (isLast && tag) {
          const color = isDeclined ? COLOR.muted : COLOR.accent
          pen.words(tag, { left: NUMBER_WIDTH, top: top + textHeight + 1, size: TAG.size, color, tag: descriptionTag })
        }
      },
    }
  })
}

/** A long description may go on over the page after each of its lines. */
const inPieces = (lines: Line[]): Line[][] => (lines.length <= WHOLE_LINES ? [lines] : lines.map((line) => [line]))
