import type { PrintFacts, PrintMark } from '../../facts'

/** Of each list, and of each page in it. */
const MOST_MARKS = 100
const MOST_ON_PAGE = 10

/** The first by an order, at most so many of each page; how many there were in all. */
export class Marks {
  private marks: PrintMark[] = []
  private count = 0

  constructor(private readonly order: (a: PrintMark, b: PrintMark) => number = (a, b) => a.value - b.value) {}

  add(mark: PrintMark): void {
    // Of a matrix that is none.
    if (!Number.isFinite(mark.value)) return
    this.count += 1
    this.marks.push(mark)
    if (this.marks.length >= 8 * MOST_MARKS) this.marks = this.first()
  }

  all(): PrintFacts['thinnestLines'] {
    return { count: this.count, marks: this.first() }
  }

  private first(): PrintMark[] {
    const onPage = new Map<number, number>()
    return this.marks
      .sort((a, b) => this.order(a, b) || a.page - b.page)
      .filter(({ page }) => {
        const before = onPage.get(page) ?? 0
        onPage.set(page, before + 1)
        return before < MOST_ON_PAGE
      })
      .slice(0, MOST_MARKS)
  }
}
