'use client'

import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import Link from 'next/link'
import type { ReactElement, ReactNode } from 'react'
import { cn } from './cn'
import { popupItemStyles, popupStyles } from './control-styles'
import { Kbd } from './kbd'
import { type Press, useRepeatedPress } from './when-used'

export interface MenuProps {
  trigger: ReactElement
  /** Only where something else opens it, too. */
  open?: boolean
  onOpenChange?: (isOpen: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'right'
  className?: string
  children: ReactNode
}

export function OpenableMenu({
  trigger,
  align = 'end',
  side = 'bottom',
  open,
  onOpenChange,
  className,
  press,
  children,
}: MenuProps & { press: Press | null }) {
  const triggerRef = useRepeatedPress(press)
  return (
    <Base.Root modal={false} open={open} onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      <Base.Trigger ref={triggerRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            className={cn(
              popupStyles,
              'max-h-(--available-height) max-w-[min(22rem,var(--available-width))] min-w-48 overflow-y-auto overscroll-contain p-1',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface ItemProps {
  icon?: ReactNode
  shortcut?: string
  tone?: 'default' | 'danger'
  children: ReactNode
}

const itemStyles = (tone: ItemProps['tone']) =>
  cn(popupItemStyles, tone === 'danger' ? 'text-fail-ink data-highlighted:bg-fail-soft' : '[&>svg]:text-ink-subtle')

function ItemContent({ icon, shortcut, children }: ItemProps) {
  return (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut && <Kbd keys={shortcut} className="ml-4" />}
    </>
  )
}

export type MenuItemProps = ItemProps & { onClick?: () => void; disabled?: boolean; className?: string }

export function MenuItem({ onClick, disabled, className, ...item }: MenuItemProps) {
  return (
    <Base.Item onClick={onClick} disabled={disabled} className={cn(itemStyles(item.tone), className)}>
      <ItemContent {...item} />
    </Base.Item>
  )
}

export function MenuLink({ href, ...item }: ItemProps & { href: string }) {
  return (
    <Base.LinkItem closeOnClick render={<Link href={href} />} className={itemStyles(item.tone)}>
      <ItemContent {...item} />
    </Base.LinkItem>
  )
}

export function MenuDownload({ href, ...item }: ItemProps & { href: string }) {
  return (
    <Base.LinkItem closeOnClick href={href} download className={itemStyles(item.tone)}>
      <ItemContent {...item} />
    </Base.LinkItem>
  )
}

export interface MenuRadioGroupProps<Value extends string> {
  label?: ReactNode
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode; icon?: ReactNode }[]
}

export function MenuRadioGroup<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: MenuRadioGroupProps<Value>) {
  return (
    <Base.Group>
      {label && <MenuLabel>{label}</MenuLabel>}
      <Base.RadioGroup value={value} onValueChange={(next) => onValueChange(next as Value)}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={cn(popupItemStyles, 'pr-8 [&>svg]:text-ink-subtle')}
          >
            {option.icon}
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            <Base.RadioItemIndicator className="absolute right-2 text-accent-ink">
              <Check />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export interface MenuCheckboxGroupProps<Value extends string> {
  label?: ReactNode
  values: readonly Value[]
  onValuesChange: (values: Value[]) => void
  options: readonly { value: Value; label: ReactNode }[]
}

export function MenuCheckboxGroup<Value extends string>({
  label,
  values,
  onValuesChange,
  options,
}: MenuCheckboxGroupProps<Value>) {
  return (
    <Base.Group>
      {label && <MenuLabel>{label}</MenuLabel>}
      {options.map(({ value, label }) => (
        <Base.CheckboxItem
          key={value}
          checked={values.includes(value)}
          onCheckedChange={(isOn) =>
            onValuesChange(
              options.map((each) => each.value).filter((each) => (each === value ? isOn : values.includes(each))),
            )
          }
          className={cn(popupItemStyles, 'pr-8')}
        >
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <Base.CheckboxItemIndicator className="absolute right-2 text-accent-ink">
            <Check />
          </Base.CheckboxItemIndicator>
        </Base.CheckboxItem>
      ))}
    </Base.Group>
  )
}

export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Base.Group>
      <MenuLabel>{label}</MenuLabel>
      {children}
    </Base.Group>
  )
}

function MenuLabel({ children }: { children: ReactNode }) {
  return <Base.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-ink-subtle">{children}</Base.GroupLabel>
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line-strong" />
}
