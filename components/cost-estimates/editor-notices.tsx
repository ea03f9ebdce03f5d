import type { ReactNode } from 'react'
import { type ChangedBy, ChangedMeanwhile } from '@/components/forms/edit-conflict'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { LinkButton } from '@/components/ui/link-button'
import { formatMoney } from '@/lib/currencies'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import type { EstimateRequest } from './draft'
import type { LineErrors } from './editor-state'
import type { Column } from './line-row'
import { PriceChanges } from './revisions'

/** Submitted, or decided: it is a draft no more. */
export function Closed({ estimate, children }: { estimate: Estimate; children: ReactNode }) {
  return (
    <Callout
      tone="warn"
      title={`${estimate.number} cannot be changed any more`}
      actions={
        <LinkButton size="sm" href={`/cost-estimates/${estimate.id}`}>
          Open the estimate
        </LinkButton>
      }
    >
      It is “{LABELS.estimateStatus[estimate.status]}”. {children}
    </Callout>
  )
}

/** Deleted by another user, or out of sight: what was typed can still become an estimate. */
export function Gone({ number }: { number: string }) {
  return (
    <Callout tone="warn" title={`${number} is not there any more`}>
      Another user deleted it, or you no longer belong to its project. What you typed is still here: “Create draft”
      makes a new estimate of it, with a number of its own.
    </Callout>
  )
}

/** What was sent and only came too late: every field in it is a number. */
export const asPriced = ({ title, currency, discount, tax_rate, line_items }: EstimateRequest) => ({
  title,
  currency,
  discount: discount && { ...discount, value: Number(discount.value) },
  tax_rate: Number(tax_rate),
  line_items: line_items.map(({ description, quantity, unit_price }) => ({
    description,
    quantity: Number(quantity),
    unit_price: Number(unit_price),
  })),
})

/** Another user saved meanwhile: nothing is overwritten until it was decided whose version stays. */
export function Conflict({
  theirs,
  by,
  mine,
  isSaving,
  takeTheirs,
  overwrite,
}: {
  theirs: Estimate
  by: ChangedBy
  mine: ReturnType<typeof asPriced> & { total: number }
  isSaving: boolean
  takeTheirs: () => void
  overwrite: () => void
}) {
  if (!isPossible('change', theirs.status)) {
    return <Closed estimate={theirs}>What you typed is still here, for you to copy.</Closed>
  }
  return (
    <ChangedMeanwhile
      by={by}
      take={{ label: 'Take their version', run: takeTheirs }}
      overwrite={{ label: 'Save mine over it', run: overwrite, isRunning: isSaving }}
    >
      <p>
        What you typed is still here, and nothing of theirs was overwritten. Theirs comes to{' '}
        {formatMoney(theirs.total, theirs.currency)}, yours to {formatMoney(mine.total, mine.currency)}.
        {theirs.title !== mine.title && ` It is called “${theirs.title}”.`}
      </p>
      <div className="mt-2 not-has-[ul]:hidden">
        <p className="pb-1 font-medium text-ink">Their version against yours</p>
        <PriceChanges now={theirs} before={mine} />
      </div>
    </ChangedMeanwhile>
  )
}

/** Prices with the sign of another currency: they are not converted, so the user has to say what they are. */
export function ForeignPrices({
  found,
  currency,
  change,
  onKeep,
  show,
}: {
  found: readonly { text: string; row: number; currencies: readonly string[] }[]
  currency: string
  change: (currency: string) => void
  onKeep: () => void
  show: (row: number) => void
}) {
  const [first] = found
  const other = first?.currencies[0]
  if (!first || !other) return null
  const others = found.length - 1
  return (
    <Callout
      tone="warn"
      title={`“${first.text}” is not in ${currency}`}
      actions={
        <>
          <Button size="sm" onClick={() => change(other)}>
            Change the estimate to {other}
          </Button>
          <Button size="sm" onClick={onKeep}>
            The prices are in {currency}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => show(first.row)}>
            Go to line {first.row + 1}
          </Button>
        </>
      }
    >
      The unit price of line {first.row + 1}
      {others > 0 && ` and of ${formatCount(others, 'more line', 'more lines')}`} has the sign of another currency.
      Nothing is converted, and it counts as nothing until you say what it is.
    </Callout>
  )
}

/** The version of another user took the place of what was typed. */
export function TheirsShown({ takeMine }: { takeMine: () => void }) {
  return (
    <Callout
      title="You see their version now"
      actions={
        <Button size="sm" onClick={takeMine}>
          Back to mine
        </Button>
      }
    >
      What you had typed is kept until you save or leave.
    </Callout>
  )
}

/** How many values were refused, and the way to the first line that has one. */
export function NotSaved({
  count,
  lines,
  show,
}: {
  count: number
  lines: LineErrors
  show: (row: number, column: Column) => void
}) {
  const [row, errors] = [...lines].sort(([a], [b]) => a - b)[0] ?? []
  return (
    <Callout
      tone="fail"
      title="The estimate was not saved"
      actions={
        row !== undefined && (
          <Button size="sm" onClick={() => show(row, (Object.keys(errors ?? {})[0] as Column) ?? 'description')}>
            Go to line {row + 1}
          </Button>
        )
      }
    >
      {count === 1
        ? 'One value needs another check; it says why.'
        : `${count} values need another check; each says why.`}
    </Callout>
  )
}
