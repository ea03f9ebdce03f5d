/**
 * A table to read in a terminal, by the headings of its columns and how wide each is: the first to the left, numbers to the
 * right. Gives a line for each row of cells.
 */
export function tableOf(widths: Readonly<Record<string, number>>): (...cells: (string | number)[]) => string {
  const all = Object.values(widths)
  return (...cells) =>
    cells
      .map(String)
      .map((cell, index) => (index === 0 ? cell.padEnd(all[index] ?? 0) : cell.padStart(all[index] ?? 0)))
      .join('')
}

/** The columns that count verdicts. */
export const COUNTS = { check: 28, good: 6, bad: 5, misses: 8, 'false alarms': 14, unevaluated: 13 }
