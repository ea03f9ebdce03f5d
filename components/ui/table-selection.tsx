'use client'

import { CheckboxBox } from './checkbox'

/** Chooses every row shown. */
export function SelectAllBox({
  checked,
  indeterminate,
  toggle,
}: {
  checked: boolean
  indeterminate: boolean
  toggle: () => void
}) {
  return (
    <CheckboxBox
      aria-label="Select all rows"
      checked={checked}
      indeterminate={indeterminate}
      onCheckedChange={toggle}
    />
  )
}

/** Chooses one row; with Shift, everything between it and the row chosen before. */
export function SelectRowBox({
  checked,
  label,
  rowKey,
  toggle,
}: {
  checked: boolean
  label: string
  rowKey: string
  toggle: (key: string, extend: boolean) => void
}) {
  return (
    <CheckboxBox
      aria-label={`Select ${label}`}
      checked={checked}
      onMouseDown={(event) => {
        // Shift and a press would select the text between as well.
        if (event.shiftKey) event.preventDefault()
      }}
      onCheckedChange={(_, { event }) => toggle(rowKey, 'shiftKey' in event && event.shiftKey === true)}
    />
  )
}
