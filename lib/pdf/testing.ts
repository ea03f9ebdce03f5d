import type { EstimateSheet, SheetLine } from '@/lib/domain/cost-estimates/estimate-sheet'

/** Sheets for tests and benches: `count` lines whose sums are written beside them, exact. */
export function sheetWith(count: number, changes: Partial<EstimateSheet> = {}): EstimateSheet {
  const lines = Array.from({ length: count }, (_, index) => lineOf(index))
  const cents = lines.reduce((sum, line) => sum + Number(line.amount.replace('.', '')), 0)
  const tax = Math.round(cents / 5)
  const written = (amount: number) => `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
  return {
    number: 'EST-2026-0042',
    revision: 2,
    title: 'Spring campaign, spot and display adaptations',
    status: 'Awaiting your approval',
    currency: 'EUR',
    minorUnits: 2,
    language: 'en',
    client: 'Northlight Outdoor GmbH',
    project: 'Spring campaign 2026',
    preparedBy: 'Jana Kovářová',
    issuedAt: '2026-04-14T09:30:00.000Z',
    validUntil: '2026-05-12',
    lines,
    subtotal: written(cents),
    discount: null,
    tax: { label: 'Tax 20%', amount: written(tax) },
    total: written(cents + tax),
    notes: 'Two rounds of changes are included. Media costs are not part of this estimate.',
    approvals: [],
    letterhead: {
      name: 'Harbour & Pine',
      address: '14 Rope Walk\nBristol BS1 6ZT\nUnited Kingdom',
      taxId: 'GB 123 4567 89',
      terms: 'Payment within 30 days of the invoice. Prices are net of third-party costs unless a line says otherwise.',
      logo: null,
    },
    ...changes,
  }
}

const WORK = [
  'Edit of the hero spot, 30 seconds, 16:9 with audio mix to EBU R 128',
  'Cut-downs of 15 and 6 seconds for social channels, square and vertical, with burned-in subtitles in one language',
  'Retouching of key visual',
  'HTML5 display set, seven sizes, animated, with fallback images and click tags for two ad servers',
  'Quality control of supplied files',
]

function lineOf(index: number): SheetLine {
  const quantity = (index % 7) + 1
  const price = 4500 + (index % 13) * 1275
  const amount = quantity * price
  return {
    description: WORK[index % WORK.length] ?? '',
    quantity: String(quantity),
    unitPrice: `${Math.trunc(price / 100)}.${String(price % 100).padStart(2, '0')}`,
    amount: `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
    unit: index % 5 === 4 ? 'file' : null,
    option: 'none',
  }
}

/** An element of the structure tree of a page: what it is, what it holds, and what is said in its place. */
export type ReadTag = { role: string; kids: ReadTag[]; text: string; alt?: string }
export type ReadPage = {
  width: number
  height: number
  items: ReadItem[]
  text: string
  images: PageImage[]
  tags: ReadTag[]
  /** Text that is hidden from screen readers. */
  artifacts: string[]
}
/** How large an image is shown, in points. */
type PageImage = { width: number; height: number }
/** A stretch of text and where its baseline begins, in points from the lower left corner. */
type ReadItem = { text: string; x: number; y: number; width: number }

/** Reads a PDF back with pdf.js, as a stranger would. */
export async function readPdf(
  bytes: Uint8Array,
): Promise<{ pages: ReadPage[]; info: Record<string, unknown>; outline: string[] }> {
  const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, isEvalSupported: false })
    .promise
  const pages: ReadPage[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const content = await page.getTextContent()
    const items = content.items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [
            {
              text: item.str.normalize('NFKC'),
              x: Number(item.transform[4]),
              y: Number(item.transform[5]),
              width: item.width,
            },
          ]
        : [],
    )
    const { fnArray, argsArray } = await page.getOperatorList()
    const images = fnArray.flatMap((operator, index): PageImage[] => {
      if (operator !== OPS.paintImageXObject) return []
      const before = fnArray.lastIndexOf(OPS.transform, index)
      const [width = 0, , , height = 0]: number[] = argsArray[before]
      return [{ width: Math.abs(width), height: Math.abs(height) }]
    })
    const marked = await page.getTextContent({ includeMarkedContent: true })
    const { byId, artifacts } = contentOf(marked.items)
    const tags = (await page.getStructTree())?.children.flatMap((node) => tagOf(node, byId)) ?? []
    const text = items.map((item) => item.text).join(' ')
    pages.push({ width, height, items, images, text, tags, artifacts })
  }
  const { info } = await document.getMetadata()
  const outline = (await document.getOutline()) ?? []
  const read = { pages, info: info as Record<string, unknown>, outline: outline.map(({ title }) => title) }
  await document.loadingTask.destroy()
  return read
}

type Marked = { str?: string; hasEOL?: boolean; type?: string; id?: string; tag?: string }

/** The text of each piece of marked content, lines parted by spaces, and that of artifacts. */
function contentOf(items: readonly Marked[]) {
  const byId = new Map<string, string>()
  const artifacts: string[] = []
  const open: (string | null)[] = []
  for (const { str = '', hasEOL, type, id, tag } of items) {
    const inside = open.at(-1)
    if (type === 'endMarkedContent') open.pop()
    else if (type?.startsWith('beginMarkedContent')) open.push(tag === 'Artifact' ? null : (id ?? ''))
    // Between pieces of a line pdf.js puts spaces of its own.
    else if (str.trim() === '') continue
    else if (inside === null) artifacts.push(str)
    else if (inside) byId.set(inside, (byId.get(inside) ?? '') + str + (hasEOL ? ' ' : ''))
    else throw new Error(`“${str}” is neither tagged nor an artifact.`)
  }
  return { byId, artifacts }
}

type Node = { role?: string; children?: Node[]; id?: string; type?: string; alt?: string }

function tagOf(node: Node, byId: Map<string, string>): ReadTag[] {
  if (!node.role) return []
  const children = node.children ?? []
  const text = children
    .flatMap(({ type, id }) => (type === 'content' && id ? [byId.get(id)?.trim() ?? ''] : []))
    .join(' ')
  const kids = children.flatMap((child) => tagOf(child, byId))
  return [{ role: node.role, kids, text, ...(node.alt && { alt: node.alt }) }]
}
