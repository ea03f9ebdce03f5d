'use client'

import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useState } from 'react'
import { Combobox } from '@/components/ui/combobox'
import { type Choice, type ChoiceSource, noteName } from '@/lib/client/choices'

const TYPING_MS = 200

/** A text once it has not changed for a moment. Emptied text counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? TYPING_MS : 0)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const says = ({ label, description = '' }: Choice, text: string) =>
  `${label} ${description}`.toLowerCase().includes(text.toLowerCase())

/** One of many that the server knows: the newest to choose from, others by typing. */
export function RemoteCombobox({
  source,
  chosen,
  without = [],
  value,
  onValueChange,
  emptyText = 'Nothing found',
  ...rest
}: Omit<ComponentProps<typeof Combobox>, 'options' | 'onSearch' | 'onValueChange' | 'chosen'> & {
  source: ChoiceSource
  /** What was chosen before: its name is known without asking. */
  chosen?: { id: string; name: string } | null
  /** Values that are not offered. */
  without?: readonly string[]
  onValueChange: (value: string | null, choice: Choice | null) => void
}) {
  const [text, setText] = useState('')
  const q = useSettled(text.trim())
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ['choices', ...source.key, q],
    queryFn: () => source.find(q || undefined),
    staleTime: 30_000,
    // Of another text, never of another source: campaigns belong to one agency.
    placeholderData: (last: Choice[] | undefined, before?: { queryKey: readonly unknown[] }) =>
      before?.queryKey.slice(1, -1).join() === source.key.join() ? last : undefined,
  })
  const [picked, setPicked] = useState<Choice | null>(chosen ? { value: chosen.id, label: chosen.name } : null)
  // Until the list for what was typed has come, only what of the last one fits: Enter must not choose another.
  const isCurrent = data !== undefined && !isPlaceholderData && q === text.trim()
  const found = (data ?? []).filter(
    (choice) => !without.includes(choice.value) && (isCurrent || says(choice, text.trim())),
  )
  const known = [picked, chosen && { value: chosen.id, label: chosen.name }].find((choice) => choice?.value === value)
  // What is chosen stands in the field, whatever is listed.
  const options = known && !found.some((choice) => choice.value === value) && !text.trim() ? [known, ...found] : found
  return (
    <Combobox
      {...rest}
      options={options}
      value={value}
      chosen={known ?? undefined}
      onSearch={setText}
      onValueChange={(next) => {
        const choice = options.find((option) => option.value === next) ?? null
        setPicked(choice)
        if (choice) noteName({ id: choice.value, name: choice.label })
        onValueChange(next, choice)
      }}
      emptyText={isError ? 'The list could not be loaded. Try again in a moment.' : isCurrent ? emptyText : 'Loading …'}
    />
  )
}
