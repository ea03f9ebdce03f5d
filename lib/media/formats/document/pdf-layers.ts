import type { DocumentContents } from '../../facts'
import type { PdfDocument } from './pdf-document'
import { type PdfDictionary, PdfReference, type PdfValue, textOf } from './pdf-syntax'

/** Of hidden layers, by name and by page. */
const MOST_NAMES = 20
const MOST_PAGES = 100

/** Which layers (optional content, 8.11) the document does not show, and on which pages they are used. */
export class PdfLayers {
  private readonly hidden = new Set<number>()
  private readonly names: string[] = []
  private readonly pages = new Set<number>()
  private count = 0

  constructor(private readonly document: PdfDocument) {}

  /** Layers that the document switches off where it is opened (8.11.4.3). */
  async read(root: PdfDictionary): Promise<void> {
    const properties = await this.document.dictionary(root.get('OCProperties'))
    const initial = await this.document.dictionary(properties?.get('D'))
    const add = (values: readonly PdfValue[] = []) => {
      for (const each of values) if (each instanceof PdfReference) this.hidden.add(each.number)
    }
    if ((await this.document.name(initial?.get('BaseState'))) === 'OFF')
      add(await this.document.array(properties?.get('OCGs')))
    add(await this.document.array(initial?.get('OFF')))
    for (const each of (await this.document.array(initial?.get('ON'))) ?? [])
      if (each instanceof PdfReference) this.hidden.delete(each.number)
    this.count = ((await this.document.array(properties?.get('OCGs'))) ?? []).length
    for (const number of [...this.hidden].slice(0, MOST_NAMES)) {
      const layer = await this.document.dictionary(new PdfReference(number, 0))
      this.names.push(textOf(await this.document.resolve(layer?.get('Name')))?.slice(0, 100) ?? 'unnamed')
    }
  }

  /** Notes that a page uses a hidden layer. */
  noteHidden(page: number): void {
    this.pages.add(page)
  }

  get facts(): DocumentContents['layers'] {
    return { count: this.count, hidden: this.names, hiddenOnPages: [...this.pages].slice(0, MOST_PAGES) }
  }

  /** Whether what belongs to a group, or to a membership of groups, is not shown. */
  async isHidden(value: PdfValue | undefined): Promise<boolean> {
    if (value === undefined || this.hidden.size === 0) return false
    if (value instanceof PdfReference && this.hidden.has(value.number)) return true
    const dictionary = await this.document.dictionary(value)
    if ((await this.document.name(dictionary?.get('Type'))) !== 'OCMD' || !dictionary) return false
    const given = dictionary.get('OCGs') ?? null
    const groups = given instanceof PdfReference ? ((await this.document.array(given)) ?? [given]) : given
    const members = (Array.isArray(groups) ? groups : []).filter((each) => each instanceof PdfReference)
    if (members.length === 0 || dictionary.has('VE')) return false
    const areHidden = members.map((each) => this.hidden.has(each.number))
    const policy = (await this.document.name(dictionary.get('P'))) ?? 'AnyOn'
    if (policy === 'AllOn') return areHidden.some(Boolean)
    if (policy === 'AnyOff') return !areHidden.some(Boolean)
    return policy === 'AllOff' ? !areHidden.every(Boolean) : areHidden.every(Boolean)
  }
}
