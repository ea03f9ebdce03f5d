'use client'

import { ChevronDown, Search, X } from 'lucide-react'
import { debounce, parseAsString, useQueryStates } from 'nuqs'
import { useTransition } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { Menu, MenuRadioGroup } from './menu'
import { SearchInput } from './search-input'
import { Spinner } from './spinner'

export interface Filter {
  /** Name in the address: `status`. */
  param: string
  label: string
  options: readonly { value: string; label: string }[]
}

const ANY = ''

/**
 * Search and filters above a list. Their state is the address, so a filtered list can be bookmarked and sent; changing
 * one asks the server again and leaves paging (`cursor`). Stand it in `<Suspense>`: it reads the address.
 */
export function FilterBar({
  search,
  filters = [],
  more,
  shown,
  total,
  noun,
  actions,
  className,
}: {
  /** `param` is `q` unless said otherwise. */
  search?: { param?: string; label: string }
  filters?: readonly Filter[]
  /** Filters of another kind that stand after these, and the names they have in the address. */
  more?: { params: readonly string[]; children: React.ReactNode }
  /** How many rows the filters left. */
  shown?: number
  /** How many there are without filters. */
  total?: number
  noun: readonly [one: string, many: string]
  actions?: React.ReactNode
  className?: string
}) {
  const [isPending, startTransition] = useTransition()
  const searchParam = search ? (search.param ?? 'q') : null
  const names = [
    ...(searchParam ? [searchParam] : []),
    ...filters.map((filter) => filter.param),
    ...(more?.params ?? []),
  ]
  const [values, setValues] = useQueryStates(
    Object.fromEntries([...names, 'cursor'].map((name) => [name, parseAsString.withDefault(ANY)])),
    { shallow: false, startTransition, clearOnDefault: true },
  )
  const isFiltered = names.some((name) => values[name])

  function set(name: string, value: string, wait = 0) {
    setValues({ [name]: value || null, cursor: null }, wait ? { limitUrlUpdates: debounce(wait) } : undefined)
  }

  return (
    <search className={cn('flex flex-wrap items-center gap-2 print:hidden', className)}>
      {searchParam && search && (
        <div className="w-full sm:w-64">
          <SearchInput
            label={search.label}
            value={values[searchParam] ?? ''}
            onValueChange={(text) => set(searchParam, text, text ? 250 : 0)}
            leading={isPending ? <Spinner /> : <Search />}
            className="[&::-webkit-search-cancel-button]:hidden"
          />
        </div>
      )}
      <FilterRow>
        {filters.map((filter) => (
          <FilterMenu
            key={filter.param}
            filter={filter}
            value={values[filter.param] ?? ANY}
            onChange={(value) => set(filter.param, value)}
          />
        ))}
        {more?.children}
      </FilterRow>
      {isFiltered && (
        <Button
          variant="ghost"
          onClick={(event) => {
            // The button goes with what it cleared: the focus stays in the bar.
            event.currentTarget.closest('search')?.querySelector<HTMLElement>('input, button')?.focus()
            setValues(Object.fromEntries([...names, 'cursor'].map((name) => [name, null])))
          }}
        >
          Clear all
        </Button>
      )}
      {shown !== undefined && (
        <p aria-live="polite" className="ml-auto text-sm text-ink-subtle tabular-nums">
          {countSentence(shown, isFiltered ? total : undefined, noun)}
        </p>
      )}
      {actions}
    </search>
  )
}

/** One row to be moved sideways on a phone, where several rows would push the list out of sight. */
export function FilterRow({ children }: { children: React.ReactNode }) {
  return (
    <div className="contents max-sm:-mx-4 max-sm:flex max-sm:w-screen max-sm:gap-2 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:*:shrink-0">
      {children}
    </div>
  )
}

function countSentence(shown: number, total: number | undefined, [one, many]: readonly [string, string]): string {
  if (total === undefined) return `${shown} ${shown === 1 ? one : many}`
  return `${shown} of ${total} ${total === 1 ? one : many}`
}

/**
 * A chip: names what it filters by, and, when it does, the value and a cross. A value that is none of the options stays,
 * so that it can be seen and removed.
 */
export function FilterMenu({
  filter,
  value,
  onChange,
  onOpen,
}: {
  filter: Filter
  value: string
  onChange: (value: string) => void
  /** Called before it opens: options that are asked for when they are needed. */
  onOpen?: () => void
}) {
  const chosen =
    value === ANY ? undefined : (filter.options.find((option) => option.value === value) ?? { label: value })
  return (
    <span className="inline-flex">
      <Menu
        align="start"
        trigger={
          <Button
            variant={chosen ? 'soft' : 'secondary'}
            onPointerEnter={onOpen}
            onFocus={onOpen}
            className={cn('font-normal', chosen ? 'rounded-r-none border-accent-line pr-1.5' : 'border-dashed')}
          >
            {chosen ? (
              <>
                {filter.label}: <span className="max-w-40 truncate font-medium">{chosen.label}</span>
              </>
            ) : (
              <>
                {filter.label}
                <ChevronDown className="text-ink-subtle" />
              </>
            )}
          </Button>
        }
      >
        <MenuRadioGroup
          value={value}
          onValueChange={onChange}
          options={[{ value: ANY, label: `Any ${filter.label.toLowerCase()}` }, ...filter.options]}
        />
      </Menu>
      {chosen && (
        <Button
          variant="soft"
          aria-label={`Remove filter ${filter.label}: ${chosen.label}`}
          className="rounded-l-none border-l-0 border-accent-line px-1.5"
          onClick={(event) => {
            event.currentTarget.parentElement?.querySelector<HTMLElement>('button')?.focus()
            onChange(ANY)
          }}
        >
          <X />
        </Button>
      )}
    </span>
  )
}
