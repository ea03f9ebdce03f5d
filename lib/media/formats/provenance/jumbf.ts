/** JUMBF (ISO 19566-5): boxes within boxes, each superbox with a label. */
export type Box = {
  type: string
  /** Of a superbox. */
  label: string
  /** Of a superbox what it is for, by four letters: `c2ma` a manifest, `c2um` one that updates another. */
  purpose: string
  /** Without its header; of a superbox all boxes in it: what hashed references of C2PA are computed over. */
  content: Buffer
  boxes: Box[]
}

const MOST_DEPTH = 20
const MOST_BOXES = 10_000

export function readBoxes(bytes: Buffer): Box[] {
  return readLevel(bytes, 0, { left: MOST_BOXES })
}

function readLevel(bytes: Buffer, depth: number, budget: { left: number }): Box[] {
  if (depth > MOST_DEPTH) throw new Error('its boxes lie too deep in one another')
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    budget.left -= 1
    if (budget.left < 0) throw new Error('it has too many boxes')
    const stated = bytes.readUInt32BE(at)
    const isLong = stated === 1
    if (isLong && at + 16 > bytes.length) throw new Error('one of its boxes is cut')
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : stated === 0 ? bytes.length - at : stated
    const head = isLong ? 16 : 8
    if (length < head || at + length > bytes.length) throw new Error('one of its boxes is cut')
    const type = bytes.toString('latin1', at + 4, at + 8)
    const content = bytes.subarray(at + head, at + length)
    const inner = type === 'jumb' ? readLevel(content, depth + 1, budget) : []
    boxes.push({
      type,
      label: type === 'jumb' ? labelOf(inner[0]) : '',
      purpose: inner[0]?.content.toString('latin1', 0, 4) ?? '',
      content,
      boxes: inner.slice(1),
    })
    at += length
  }
  return boxes
}

/** The description box: a UUID, toggles, and a label where they say so. */
function labelOf(description: Box | undefined): string {
  if (description?.type !== 'jumd' || description.content.length < 17) throw new Error('one of its boxes has no name')
  const { content } = description
  if (((content[16] as number) & 2) === 0) return ''
  const end = content.indexOf(0, 17)
  return content.toString('utf8', 17, end < 0 ? content.length : end).slice(0, 500)
}
