'use client'

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { Avatar } from '@/components/ui/avatar'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { api } from '@/lib/client/api'
import { nameAt, namedIn, type Person } from './mentions'
import type { BatchPath } from './room-queries'
import { sendByKey } from './send-by-key'

/** As many people the interface suggests at once. */
const SUGGESTED = 20
const SHOWN = 6

/** What a comment says, and whom it names. */
export type Said = { body: string; people: readonly Person[] }
export const NOTHING_SAID: Said = { body: '', people: [] }

/** As the interface takes it. */
export const sentOf = ({ body, people }: Said) => ({ body, mentions: namedIn(body, people).map(({ id }) => id) })

/** Where a comment is written: Ctrl Enter sends it; after an @ the people are suggested who may see the batch. */
export function CommentField({
  batch,
  label,
  placeholder,
  said,
  say,
  field,
}: {
  batch: BatchPath
  label: string
  placeholder?: string
  said: Said
  say: (next: Said) => void
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const listId = useId()
  const [name, setName] = useState<{ from: number; q: string } | null>(null)
  const [at, setAt] = useState(0)
  const suggested = useSuggested(batch, name?.q.trim() ?? null)
  // A name that is complete is followed by other words.
  const isWritten = name !== null && said.people.some((person) => name.q.startsWith(person.name))
  const shown = name && !isWritten ? suggested.slice(0, SHOWN) : []
  const active = Math.min(at, shown.length - 1)

  const follow = (element: HTMLTextAreaElement) => {
    const next = nameAt(element.value, element.selectionStart)
    setName(next)
    if (next?.q !== name?.q) setAt(0)
  }
  const choose = (person: Person) => {
    const element = field.current
    if (!element || !name) return
    const before = `${said.body.slice(0, name.from)}@${person.name} `
    const after = said.body.slice(name.from + 1 + name.q.length).replace(/^ /, '')
    say({
      body: before + after,
      people: [...said.people.filter(({ id }) => id !== person.id), person],
    })
    setName(null)
    announce(`${person.name} is mentioned`)
    requestAnimationFrame(() => {
      element.focus({ preventScroll: true })
      element.setSelectionRange(before.length, before.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const person = shown[active]
    if (event.key === 'Escape') {
      // It is meant for the list, or leaves the field; a panel around it stays open.
      event.stopPropagation()
      if (person) setName(null)
      else event.currentTarget.blur()
    } else if (person && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      setAt((active + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length)
    } else if (person && (event.key === 'Enter' || event.key === 'Tab') && !event.ctrlKey && !event.metaKey) {
      choose(person)
    } else {
      sendByKey(event)
      return
    }
    event.preventDefault()
  }
  return (
    <div className="relative">
      <Field label={label} name={label.toLowerCase()} labelHidden>
        <Textarea
          ref={field}
          value={said.body}
          rows={2}
          maxLength={4000}
          placeholder={placeholder}
          aria-autocomplete="list"
          aria-controls={shown.length > 0 ? listId : undefined}
          aria-activedescendant={shown.length > 0 ? `${listId}-${active}` : undefined}
          onChange={(event) => {
            say({ ...said, body: event.target.value })
            follow(event.target)
          }}
          onSelect={(event) => follow(event.currentTarget)}
          onBlur={() => setName(null)}
          onKeyDown={onKeyDown}
        />
      </Field>
      {shown.length > 0 && (
        <div
          id={listId}
          role="listbox"
          aria-label="People who may see this batch"
          className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-lg border border-line-strong bg-raised p-1 shadow-popover"
        >
          {shown.map((person, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and says which is active
            // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              // Before the field loses the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              onPointerEnter={() => setAt(index)}
              className="flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm aria-selected:bg-hover pointer-coarse:py-2.5"
            >
              <Avatar name={person.name} size="sm" />
              <span className="min-w-0 truncate">{person.name}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** People whose name holds these words; `q` null: none is asked for. All of a small batch are asked for once. */
function useSuggested(batch: BatchPath, q: string | null): readonly Person[] {
  const wanted = q?.toLocaleLowerCase() ?? ''
  const people = (words: string) => ({
    queryKey: ['people', batch.batch_id, words],
    queryFn: async () =>
      (
        await api('GET /api/projects/{project_id}/batches/{batch_id}/people', {
          params: batch,
          query: words ? { q: words } : {},
        })
      ).people,
    staleTime: 60_000,
  })
  const all = useQuery({ ...people(''), enabled: q !== null })
  const isMore = (all.data?.length ?? 0) >= SUGGESTED
  const found = useQuery({ ...people(wanted), enabled: q !== null && isMore && wanted !== '' })
  const list = (isMore && wanted !== '' ? found.data : all.data) ?? []
  return list.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
}
