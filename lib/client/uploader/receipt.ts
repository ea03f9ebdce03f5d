import { toCsv } from '@/lib/http/csv'
import type { UploadItem } from './upload-item'

/** One file that was accepted or refused, as the person who sent it may keep it. */
export type ReceiptLine = {
  id: string
  /** ISO 8601: when the verdict came. */
  at: string
  name: string
  folder: string
  /** Bytes. */
  size: number
  result: 'accepted' | 'refused' | 'not_sent'
  version: number | null
  sha256: string | null
  reasons: readonly string[]
}

/** What one browser delivered through one link. Holds what its person saw, and nothing else of the service. */
export type Receipt = {
  /** What for: `Spring launch, Banners`. */
  subject: string
  /** When "Done" was pressed last; null: the visit still goes on, or its page was closed. */
  finishedAt: string | null
  lines: readonly ReceiptLine[]
}

export const RESULT_WORDS: Record<ReceiptLine['result'], string> = {
  accepted: 'Accepted',
  refused: 'Refused',
  not_sent: 'Not sent',
}

/** The line of a file that has a verdict. */
export const lineOf = (item: UploadItem, at: string): ReceiptLine => ({
  id: item.id,
  at,
  name: item.file.name,
  folder: item.folder,
  size: item.file.size,
  result: item.state === 'stored' ? 'accepted' : item.state === 'refused' ? 'refused' : 'not_sent',
  version: item.version,
  sha256: item.sha256,
  reasons: item.violations.map(({ message }) => message),
})

const countOf = (lines: readonly ReceiptLine[], result: ReceiptLine['result']) =>
  lines.filter((line) => line.result === result).length

export const countsOf = (lines: readonly ReceiptLine[]) => ({
  accepted: countOf(lines, 'accepted'),
  refused: countOf(lines, 'refused') + countOf(lines, 'not_sent'),
})

export const receiptAsText = ({ subject, finishedAt, lines }: Receipt) =>
  [
    `${subject}${finishedAt ? `, finished ${finishedAt}` : ''}`,
    ...lines.map(({ at, name, folder, size, result, sha256, reasons }) =>
      [
        `${at}  ${RESULT_WORDS[result]}  ${folder ? `${folder}/` : ''}${name}  ${size} bytes`,
        sha256 && `SHA-256 ${sha256}`,
        ...reasons,
      ]
        .filter(Boolean)
        .join('  '),
    ),
  ].join('\n')

export const receiptAsCsv = (lines: readonly ReceiptLine[]) =>
  toCsv([
    ['file', 'folder', 'result', 'bytes', 'version', 'sha256', 'at', 'reason'],
    ...lines.map(({ name, folder, result, size, version, sha256, at, reasons }) => [
      name,
      folder,
      RESULT_WORDS[result],
      size,
      version,
      sha256,
      at,
      reasons.join(' '),
    ]),
  ])

const PREFIX = 'greenroom:receipt:'
const STORED_MS = 30 * 86_400_000
const WRITE_AFTER_MS = 1000

/** Where a browser keeps receipts. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * The receipt of one link in one browser. It outlives the page, the submit of the batch and the end of the link; thirty
 * days after its last line it goes. Two tabs write one receipt: what another tab added is kept.
 */
export class ReceiptBook {
  private receipt: Receipt | null
  /** False when the browser keeps nothing (a private window, no room): the receipt lives as long as the page. */
  isStored = true
  private readonly dropped = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private writing: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly token: string,
    private readonly shelf: Shelf | null,
  ) {
    if (!shelf) this.isStored = false
    this.forgetOld()
    this.receipt = this.read()
  }

  current = () => this.receipt

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Adds a line, or puts it in the place of the one with the same id. */
  put(line: ReceiptLine, subject: string) {
    const lines = this.receipt?.lines ?? []
    const at = lines.findLastIndex(({ id }) => id === line.id)
    this.dropped.delete(line.id)
    this.change({ subject, finishedAt: null, lines: at < 0 ? [...lines, line] : lines.with(at, line) })
  }

  /** Takes out what was never sent; what was accepted or refused stays, whatever becomes of the list on the page. */
  dropUnsent(id: string) {
    if (!this.receipt?.lines.some((line) => line.id === id && line.result === 'not_sent')) return
    this.dropped.add(id)
    this.change({ ...this.receipt, lines: this.receipt.lines.filter((line) => line.id !== id) })
  }

  finish(at: string) {
    if (!this.receipt) return
    this.change({ ...this.receipt, finishedAt: at })
    this.write()
  }

  clear() {
    clearTimeout(this.writing)
    this.writing = undefined
    this.receipt = null
    this.attempt(() => this.shelf?.removeItem(PREFIX + this.token))
    this.notify()
  }

  /** Keeps what is there now; asked again when the page is left. */
  write = () => {
    clearTimeout(this.writing)
    this.writing = undefined
    const mine = this.receipt
    if (!mine) return
    const known = new Set(mine.lines.map(({ id }) => id))
    const others = this.read()?.lines.filter(({ id }) => !known.has(id) && !this.dropped.has(id)) ?? []
    if (others.length > 0) this.receipt = { ...mine, lines: [...others, ...mine.lines] }
    this.isStored = this.attempt(() => this.shelf?.setItem(PREFIX + this.token, JSON.stringify(this.receipt)))
    this.notify()
  }

  private change(receipt: Receipt) {
    this.receipt = receipt
    this.writing ??= setTimeout(this.write, WRITE_AFTER_MS)
    this.notify()
  }

  private notify() {
    for (const listener of this.listeners) listener()
  }

  private attempt(use: () => void): boolean {
    if (!this.shelf) return false
    try {
      use()
      return true
    } catch {
      return false
    }
  }

  private read(): Receipt | null {
    let receipt: Receipt | null = null
    this.attempt(() => {
      receipt = receiptFrom(this.shelf?.getItem(PREFIX + this.token) ?? null)
    })
    return receipt
  }

  private forgetOld() {
    this.attempt(() => {
      const shelf = this.shelf
      if (!shelf) return
      const keys = Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '')
      for (const key of keys.filter((each) => each.startsWith(PREFIX))) {
        const last = Date.parse(receiptFrom(shelf.getItem(key))?.lines.at(-1)?.at ?? '')
        if (!(Date.now() - last < STORED_MS)) shelf.removeItem(key)
      }
    })
  }
}

/** Null for what is no receipt: an earlier format, or a hand in the storage. */
function receiptFrom(text: string | null): Receipt | null {
  try {
    const { subject, finishedAt, lines } = JSON.parse(text ?? '') as Receipt
    return Array.isArray(lines) && lines.length > 0 ? { subject: String(subject), finishedAt, lines } : null
  } catch {
    return null
  }
}
