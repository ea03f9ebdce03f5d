'use client'

import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

/**
 * A link that is fetched ahead when the user comes near it with mouse, finger or keyboard. For lists: the router's own
 * way fetches every link in view, which for a table of a hundred rows is a hundred requests.
 */
export function NearLink(
  props: Omit<ComponentProps<typeof Link>, 'prefetch' | 'onMouseEnter' | 'onTouchStart' | 'onFocus'>,
) {
  const [isNear, setNear] = useState(false)
  const approach = () => setNear(true)
  return (
    <Link
      prefetch={isNear ? null : false}
      onMouseEnter={approach}
      onTouchStart={approach}
      onFocus={approach}
      {...props}
    />
  )
}
