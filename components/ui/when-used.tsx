'use client'

import {
  Children,
  cloneElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useLoaded } from '@/lib/client/use-loaded'
import { useOnceTrue } from '@/lib/client/use-once-true'
import { withHandlers } from './handlers'

/** Code that is loaded when it is first used. */
interface LoadedPart<Part> {
  /** Undefined until it is loaded. */
  current: Part | undefined
  /** Any number of times; after a failure it tries again. */
  load: () => Promise<Part>
}

/** Made of a function that imports it, once beside the component that uses it in `WhenUsed`. */
export function loadedPart<Part>(fetchPart: () => Promise<Part>): LoadedPart<Part> {
  let loading: Promise<Part> | undefined
  const part: LoadedPart<Part> = {
    current: undefined,
    load() {
      loading ??= fetchPart().then(
        (loaded) => {
          part.current = loaded
          return loaded
        },
        (error) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
  return part
}

/** The part once `isWanted`; undefined while it is on its way. */
export function useLoadedPart<Part extends object>(part: LoadedPart<Part>, isWanted: boolean): Part | undefined {
  const arrived = useLoaded(part.load, isWanted && !part.current)
  return isWanted ? (part.current ?? arrived ?? undefined) : undefined
}

/** How a trigger was pressed before the code behind it was there. */
export type Press = { kind: 'key' } | { kind: 'pointer'; pointerType: string; clientX: number; clientY: number }

/** Keys that open a menu; Enter and Space arrive as clicks. */
const OPENING_KEYS = ['ArrowDown', 'ArrowUp']

/**
 * A button whose menu, panel or dialog is loaded when it is first used. From the first paint the button is the real one:
 * it can be focused and says what it opens. Its code is fetched as the pointer or the focus comes near; the press is
 * repeated on the trigger that `children` brings, which thereby opens as it always does. Without a trigger, `open` uses it.
 */
export function WhenUsed<Part extends object>({
  part,
  trigger,
  opens,
  open = false,
  children,
}: {
  part: LoadedPart<Part>
  trigger?: ReactElement
  /** What the button opens, for screen readers. */
  opens: 'menu' | 'dialog'
  open?: boolean
  /** With `press` for `useRepeatedPress`. */
  children: (part: Part, press: Press | null) => ReactNode
}) {
  const [press, setPress] = useState<Press | null>(null)
  const isUsed = useOnceTrue(press !== null || open)
  const loaded = useLoadedPart(part, isUsed)
  if (loaded) return children(loaded, press)
  if (!trigger) return null
  const button = elementOf(trigger)
  // Should it fail, it is asked for again when it is used.
  const comeNear = () => void part.load().catch(() => {})
  return cloneElement(button, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    ...withHandlers(button, { onPointerEnter: comeNear, onFocus: comeNear }),
    // In place of its own handlers: those are called by the press that is repeated.
    onClick: (event: React.MouseEvent) => {
      // A click by a key has no place.
      if (event.detail === 0) setPress({ kind: 'key' })
      else {
        const { clientX, clientY } = event
        const { pointerType = 'mouse' } = event.nativeEvent as PointerEvent
        setPress({ kind: 'pointer', pointerType, clientX, clientY })
      }
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (opens !== 'menu' || !OPENING_KEYS.includes(event.key)) return
      event.preventDefault()
      setPress({ kind: 'key' })
    },
  } as Record<string, unknown>)
}

/** An element that a server component hands over may still be on its way: as a child it is waited for. */
const elementOf = (trigger: ReactElement) =>
  isValidElement(trigger) ? trigger : (Children.toArray(trigger)[0] as ReactElement)

/** For the trigger that came with the code: the press that asked for it arrives there. */
export function useRepeatedPress(press: Press | null): RefObject<HTMLButtonElement | null> {
  const trigger = useRef<HTMLButtonElement>(null)
  const toRepeat = useRef(press)
  useEffect(() => {
    const asked = toRepeat.current
    toRepeat.current = null
    const element = trigger.current
    if (!asked || !element) return
    // The button that was pressed had the focus, and is this one now.
    if (document.activeElement === document.body) element.focus({ preventScroll: true })
    repeat(asked, element)
  }, [])
  return trigger
}

function repeat(press: Press, element: HTMLElement) {
  const common = { bubbles: true, cancelable: true }
  if (press.kind === 'key') return element.click()
  const { kind, ...place } = press
  element.dispatchEvent(new PointerEvent('pointerdown', { ...common, ...place }))
  element.dispatchEvent(new MouseEvent('mousedown', { ...common, ...place, detail: 1 }))
  element.dispatchEvent(new PointerEvent('pointerup', { ...common, ...place }))
  element.dispatchEvent(new MouseEvent('mouseup', { ...common, ...place, detail: 1 }))
  element.dispatchEvent(new PointerEvent('click', { ...common, ...place, detail: 1 }))
}
