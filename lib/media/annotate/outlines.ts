import type { Line, Typesetter } from '@/lib/pdf/typesetter'

/** A line of text as the outlines of its letters, so that a file need not bring the typefaces of every script. */
export type Outlined = {
  /** How wide it is, in points. */
  width: number
  /** Operators of a content stream that fill it; its baseline begins at 0, 0. */
  paths: string
}

type Command = { command: string; args: readonly number[] }
type Drawn = { path: { commands: readonly Command[] } }

/** The line is as long as the text: labels are short. */
export function outline(set: Typesetter, text: string, size: number): Outlined {
  const line = set.oneLine(text, Number.MAX_SAFE_INTEGER, size, 700)
  let x = 0
  const paths = line.runs.flatMap((run) => {
    const { paths: drawn, width } = outlineRun(run, size, x)
    x += width
    return drawn
  })
  return { width: x, paths: paths.length > 0 ? `${paths.join('\n')}\nf` : '' }
}

function outlineRun({ face, text, isRightToLeft }: Line['runs'][number], size: number, from: number) {
  const scale = size / face.font.unitsPerEm
  const { glyphs, positions } = face.font.layout(text, isRightToLeft)
  let x = from
  const paths = glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const { commands } = (glyph as unknown as Drawn).path
    const path = operators(commands, (px, py) => [x + (px + xOffset) * scale, (py + yOffset) * scale])
    x += xAdvance * scale
    return path
  })
  return { paths: paths.filter(Boolean), width: x - from }
}

type Place = (x: number, y: number) => [number, number]

/** Path construction operators (ISO 32000-1, 8.5.2); it has no quadratic curves, which are cubic ones of a special kind. */
function operators(commands: readonly Command[], place: Place): string {
  const written: string[] = []
  let [atX, atY] = [0, 0]
  const points = (...pairs: [number, number][]) =>
    pairs
      .flatMap(([x, y]) => place(x, y))
      .map((value) => Math.round(value * 1000) / 1000)
      .join(' ')
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
    switch (command) {
      case 'moveTo':
        written.push(`${points([a, b])} m`)
        ;[atX, atY] = [a, b]
        break
      case 'lineTo':
        written.push(`${points([a, b])} l`)
        ;[atX, atY] = [a, b]
        break
      case 'quadraticCurveTo': {
        const near: [number, number] = [atX + (2 / 3) * (a - atX), atY + (2 / 3) * (b - atY)]
        const far: [number, number] = [c + (2 / 3) * (a - c), d + (2 / 3) * (b - d)]
        written.push(`${points(near, far, [c, d])} c`)
        ;[atX, atY] = [c, d]
        break
      }
      case 'bezierCurveTo':
        written.push(`${points([a, b], [c, d], [e, f])} c`)
        ;[atX, atY] = [e, f]
        break
      default:
        written.push('h')
    }
  }
  return written.join(' ')
}
