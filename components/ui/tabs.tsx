'use client'

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cn } from './cn'

export interface TabItem<Value extends string = string> {
  value: Value
  label: ReactNode
  /** Written small after the label. */
  count?: number
  content: ReactNode
}

const listStyles =
  'relative flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4'
const tabStyles =
  'relative inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium whitespace-nowrap text-ink-muted select-none hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11'

/** Views of one subject on one page. */
export function Tabs<Value extends string>({
  tabs,
  value,
  defaultValue,
  onValueChange,
  label,
  className,
}: {
  tabs: readonly TabItem<Value>[]
  value?: Value
  defaultValue?: Value
  onValueChange?: (value: Value) => void
  /** What the tabs are views of, for screen readers. */
  label: string
  className?: string
}) {
  return (
    <Base.Root
      value={value}
      defaultValue={defaultValue ?? (value === undefined ? tabs[0]?.value : undefined)}
      onValueChange={(next) => onValueChange?.(next as Value)}
      className={cn('flex min-w-0 flex-col', className)}
    >
      <Base.List aria-label={label} className={listStyles}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={cn(tabStyles, 'data-active:text-ink')}>
            {tab.label}
            {tab.count !== undefined && <TabCount count={tab.count} />}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) rounded-full bg-accent transition-[translate,width] duration-150 ease-out" />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="rounded-md pt-4 focus-visible:outline-offset-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

function TabCount({ count }: { count: number }) {
  return <span className="text-xs font-normal text-ink-subtle tabular-nums">{count}</span>
}
