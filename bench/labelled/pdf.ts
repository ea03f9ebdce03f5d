/** A PDF written by hand (ISO 32000-1), so that it holds what is asked for and nothing else. */
export type PdfParts = {
  version?: string
  /** Further entries of the catalogue. */
  catalogue?: string
  /** The information dictionary. */
  information?: string
  pages: PdfPage[]
  /** The number of the node the page tree begins with, where it is not the one that holds `pages`. */
  root?: number
  /** By object number, from 10 on; pages and what else refer to them as `10 0 R`. */
  objects?: Readonly<Record<number, string | Buffer>>
}

export type PdfPage = {
  /** Millimetres: width and height of the sheet. */
  size?: readonly [number, number]
  /** Further entries of the page, e.g. `/Rotate 90`. */
  entries?: string
  resources?: string
  content?: string
}

const SHEET = [210, 297] as const

export const points = (millimetres: number) => Number(((millimetres * 72) / 25.4).toFixed(4))

/** `/TrimBox [...]` of so many millimetres from the edges of the sheet, which may differ by side. */
export function box(
  name: string,
  [width, height]: readonly [number, number],
  inset: number | readonly [left: number, bottom: number, right: number, top: number],
): string {
  const [left, bottom, right, top] = typeof inset === 'number' ? ([inset, inset, inset, inset] as const) : inset
  const corners = [left, bottom, width - right, height - top].map(points)
  return `/${name} [${corners.join(' ')}]`
}

export function stream(dictionary: string, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

export function pdf({ version = '1.6', catalogue = '', information, pages, root = 2, objects = {} }: PdfParts): Buffer {
  const all = new Map<number, string | Buffer>([
    [1, `<< /Type /Catalog /Pages ${root} 0 R ${catalogue} >>`],
    [
      2,
      `<< /Type /Pages ${root === 2 ? '' : `/Parent ${root} 0 R `}/Count ${pages.length} /Kids [${pages.map((_, index) => `${100 + 2 * index} 0 R`).join(' ')}] >>`,
    ],
    ...(information === undefined ? [] : [[3, `<< ${information} >>`] as const]),
    ...Object.entries(objects).map(([number, body]) => [Number(number), body] as const),
  ])
  for (const [index, { size = SHEET, entries = '', resources = '', content = '' }] of pages.entries()) {
    const media = /\/MediaBox/.test(entries) ? '' : box('MediaBox', size, 0)
    all.set(
      100 + 2 * index,
      `<< /Type /Page /Parent 2 0 R ${media} /Resources << ${resources} >> /Contents ${101 + 2 * index} 0 R ${entries} >>`,
    )
    all.set(101 + 2 * index, stream('', content))
  }
  const parts = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')]
  let offset = parts[0]?.length ?? 0
  const places: string[] = ['0 1', '0000000000 65535 f ']
  for (const [number, body] of [...all].sort(([a], [b]) => a - b)) {
    places.push(`${number} 1`, `${String(offset).padStart(10, '0')} 00000 n `)
    const bytes = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
      Buffer.from('\nendobj\n'),
    ])
    parts.push(bytes)
    offset += bytes.length
  }
  const info = information === undefined ? '' : ' /Info 3 0 R'
  parts.push(
    Buffer.from(
      `xref\n${places.join('\n')}\ntrailer\n<< /Size ${Math.max(...all.keys()) + 1} /Root 1 0 R${info} /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
