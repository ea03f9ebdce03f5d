import { fractionOf, tailOf } from './amounts'

/**
 * A number of a right-aligned column, under the others by its decimal point: what it has fewer digits than the longest
 * is left free behind it. Digits have to be of one width (`tabular-nums`).
 */
export function Aligned({ amount, digits }: { amount: string; digits: number }) {
  const free = tailOf(digits).slice(tailOf(fractionOf(amount)).length)
  return (
    <>
      {amount}
      {free && (
        <span aria-hidden="true" className="invisible select-none max-sm:hidden">
          {free}
        </span>
      )}
    </>
  )
}
