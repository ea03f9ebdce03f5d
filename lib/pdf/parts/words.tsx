import { Text, View } from '@react-pdf/renderer'
import type { Weight } from '../fonts'
import { COLOR } from '../paper'
import type { Line } from '../typesetter'

/**
 * Room to the side of a line that was measured to fit, so that react-pdf never finds it a hair too wide and breaks it.
 * It is never drawn on: what is measured is what is seen.
 */
const SLACK = 24
const BASELINE = 1.069

/**
 * Switched off for small lines of plain ASCII, which have next to no use for them: looking for substitutions, mark
 * positions and kerning in vain took a quarter of the time of a long document. Large titles keep them.
 */
const PLAIN = Object.fromEntries(
  ['rvrn', 'ltra', 'ltrm', 'ccmp', 'locl', 'rlig', 'mark', 'mkmk', 'calt', 'clig', 'liga', 'rclt', 'curs', 'kern'].map(
    (tag) => [tag, 0],
  ),
)

/** Otherwise the face takes Vietnamese letters apart, and text copied out of the page lacks their marks. */
const WHOLE_LETTERS = { ccmp: 0 }

type Look = {
  size: number
  weight?: Weight
  color?: string
  align?: 'left' | 'right'
  isStruck?: boolean
}

/**
 * One line of text at its exact place. `top` is where a line of Noto Sans would begin: lines in other faces, which reach
 * higher, are hung so that all share the same baseline.
 */
export function Words({
  line,
  left = 0,
  top = 0,
  width,
  size,
  weight = 400,
  color = COLOR.ink,
  align = 'left',
  isStruck = false,
}: Look & { line: Line; left?: number; top?: number; width: number }) {
  if (line.text === '') return null
  return (
    <Text
      style={{
        position: 'absolute',
        left: align === 'left' ? left : left - SLACK,
        top: top + (BASELINE - line.ascent) * size,
        width: width + SLACK,
        height: size * 3,
        fontFamily: line.families,
        fontSize: size,
        fontWeight: weight,
        color,
        textAlign: align,
        direction: line.isRightToLeft ? 'rtl' : 'ltr',
        ...(line.isSimple && { fontFeatureSettings: line.isPlain && size < 12 ? PLAIN : WHOLE_LETTERS }),
        ...(isStruck && { textDecoration: 'line-through' }),
      }}
    >
      {PICTURE.test(line.text) ? line.text.split(PICTURE).filter(Boolean).map(piece(size)) : line.text}
    </Text>
  )
}

const PICTURE = /(\p{RI}\p{RI}|\p{Extended_Pictographic}\p{EMod}?|[\u{10000}-\u{10ffff}])/u

/**
 * react-pdf takes a text apart at every emoji, and then forgets which face the second of two pieces was to be set in,
 * unless something else about it differs: a size that nobody can tell.
 */
const piece = (size: number) => (text: string, index: number) => (
  <Text key={index} style={{ fontSize: size * (index % 2 === 0 ? 1 : 1.0001) }}>
    {text}
  </Text>
)

/** Several lines below each other; those written from right to left end at the left. */
export function Lines({
  lines,
  left = 0,
  top = 0,
  width,
  leading,
  align,
  ...look
}: Look & { lines: readonly Line[]; left?: number; top?: number; width: number; leading: number }) {
  return lines.map((line, index) => (
    <Words
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of a page that is drawn once
      key={index}
      line={line}
      left={left}
      top={top + index * leading}
      width={width}
      align={align ?? (line.isRightToLeft ? 'right' : 'left')}
      {...look}
    />
  ))
}

export function Rule({
  top,
  left = 0,
  width,
  color = COLOR.rule,
  weight = 0.5,
}: {
  top: number
  left?: number
  width: number
  color?: string
  weight?: number
}) {
  return <View style={{ position: 'absolute', top, left, width, height: weight, backgroundColor: color }} />
}
