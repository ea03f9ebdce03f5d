import { fractionOf, tailOf } from './figures'

/**
 * A figure of a right-aligned column, under the others by its decimal point: what it has fewer digits than the longest
 * is left free behind it. Digits have to be of one width (`tabular-nums`).
 */
export function Aligned({ figure, digits }: { figure: string; digits: number }) {
  const free = tailOf(digits).slice(tailOf(fractionOf(figure)).length)
  return (
    <>
      {figure}
      {free && (
        <span aria-hidden="true" className="invisible select-none max-sm:hidden">
          {free}
        </span>
      )}
    </>
  )
}
