'use client'

import { cn } from './cn'
import { useExactTime, useRelativeTime } from './plain-time'
import { Tooltip } from './tooltip'

export { DateTime } from './plain-time'

/** `3 minutes ago`, kept current; on hover and focus the exact time in the reader's zone. */
export function RelativeTime({ value, ...props }: RelativeTimeProps) {
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : <Relative value={value} time={time} {...props} />
}

type RelativeTimeProps = {
  /** ISO 8601 with zone, as the API gives it. */
  value: string
  /** True outside lists: lets the keyboard reach the exact time. In lists it would double the tab stops. */
  focusable?: boolean
  className?: string
}

function Relative({ value, time, focusable = false, className }: RelativeTimeProps & { time: number }) {
  const words = useRelativeTime(time)
  return (
    <Tooltip label={useExactTime(time)}>
      <time dateTime={value} tabIndex={focusable ? 0 : undefined} className={cn('whitespace-nowrap', className)}>
        {words}
      </time>
    </Tooltip>
  )
}
