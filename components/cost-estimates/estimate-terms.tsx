'use client'

import { memo } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { FieldProblem } from '@/lib/client/api'
import type { Draft } from './draft'
import { plainlyAt } from './plain-problems'

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'CAD', 'AUD', 'KWD', 'CNY', 'INR']

type Terms = Pick<Draft, 'currency' | 'taxRate' | 'validUntil' | 'discountType' | 'discountValue' | 'notes'>

/** What holds for the estimate as a whole: currency, tax, validity, discount, notes. */
export const EstimateTerms = memo(function EstimateTerms({
  problems,
  set,
  setCurrency,
  ...terms
}: Terms & {
  problems: readonly FieldProblem[]
  set: (more: Partial<Terms>) => void
  setCurrency: (currency: string) => void
}) {
  const errorAt = (path: string) => plainlyAt(problems, path)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Currency" error={errorAt('currency')}>
          <Select
            options={[...new Set([terms.currency, ...COMMON])].map((code) => ({ value: code, label: code }))}
            value={terms.currency}
            onValueChange={setCurrency}
          />
        </Field>
        <Field label="Tax" error={errorAt('tax_rate')}>
          <Input
            value={terms.taxRate}
            onValueChange={(taxRate) => set({ taxRate })}
            inputMode="decimal"
            trailing={<span>%</span>}
          />
        </Field>
        <Field label="Valid until" optional error={errorAt('valid_until')}>
          <Input type="date" value={terms.validUntil} onValueChange={(validUntil) => set({ validUntil })} />
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Discount" error={errorAt('discount.type')}>
          <Select
            options={[
              { value: 'none', label: 'None' },
              { value: 'percent', label: 'Percent' },
              { value: 'amount', label: 'Amount' },
            ]}
            value={terms.discountType}
            onValueChange={(discountType) => set({ discountType })}
          />
        </Field>
        {terms.discountType !== 'none' && (
          <Field label="Discount value" error={errorAt('discount.value')}>
            <Input
              value={terms.discountValue}
              onValueChange={(discountValue) => set({ discountValue })}
              inputMode="decimal"
              trailing={<span>{terms.discountType === 'percent' ? '%' : terms.currency}</span>}
            />
          </Field>
        )}
      </div>
      <Field label="Notes" optional error={errorAt('notes')} hint="Printed below the sums.">
        <Textarea
          value={terms.notes}
          onChange={(event) => set({ notes: event.target.value })}
          rows={4}
          maxLength={5000}
        />
      </Field>
    </div>
  )
})
