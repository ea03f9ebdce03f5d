import type { ReactElement } from 'react'

type Handler = (event: never) => void

/** Props to add to an element: handlers it has already are called first. */
export function withHandlers(element: ReactElement, added: Record<string, unknown>): Record<string, unknown> {
  const own = element.props as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(added).map(([name, value]) => {
      const before = own[name]
      if (typeof value !== 'function' || typeof before !== 'function') return [name, value]
      return [
        name,
        (event: never) => {
          ;(before as Handler)(event)
          ;(value as Handler)(event)
        },
      ]
    }),
  )
}
