import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'

const TEXT = { size: 8.5, leading: 12 }

export function sectionTitle(set: Typesetter, title: string): Block {
  const line = set.oneLine(title, BODY_WIDTH, 10.5, 700)
  const tag = new Tag('H2')
  return {
    height: 36,
    keepsWithNext: true,
    bookmark: title,
    tags: [tag],
    draw: (pen) => pen.words(line, { top: 16, size: 10.5, tag }),
  }
}

/** A titled text that may go on over pages: notes, terms. */
export function prose(set: Typesetter, title: string, text: string): Block[] {
  const lines = set.lines(text, BODY_WIDTH, TEXT.size)
  if (lines.every((line) => line.text === '')) return []
  let paragraph = new Tag('P')
  const tags = lines.map((line) => {
    // What an empty line parts are paragraphs.
    if (line.text === '') paragraph = new Tag('P')
    return paragraph
  })
  return [
    sectionTitle(set, title),
    ...lines.map(
      (line, index): Block => ({
        height: TEXT.leading,
        // The first two lines stay with their title, the last two with each other.
        keepsWithNext: index === 0 || index === lines.length - 2,
        tags: [tags[index] as Tag],
        draw: (pen) => pen.lines([line], { ...TEXT, width: BODY_WIDTH, color: COLOR.muted, tag: tags[index] }),
      }),
    ),
  ]
}
