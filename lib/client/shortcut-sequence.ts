/** How pressed keys become shortcuts such as `g p`, without a browser. */

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

const PAUSE_MS = 1200

/**
 * Follows the keys pressed so far. `press` returns the sequence that is complete, if any: of `g p` and `g i`, `g` alone is
 * kept waiting for at most 1.2 s. Keys with Ctrl, Cmd or Alt belong to the browser and are left alone.
 */
export function createSequencer() {
  let pressed: string[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    press(press: KeyPress, now: number, known: readonly string[]): string | null {
      if (press.ctrlKey || press.metaKey || press.altKey || ['Shift', 'CapsLock'].includes(press.key)) return null
      const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
      const sequences = now - lastAt < PAUSE_MS ? [[...pressed, key], [key]] : [[key]]
      lastAt = now
      for (const sequence of sequences) {
        const keys = sequence.join(' ')
        if (known.includes(keys)) {
          pressed = []
          return keys
        }
        if (known.some((each) => each.startsWith(`${keys} `))) {
          pressed = sequence
          return null
        }
      }
      pressed = []
      return null
    },
  }
}

const TYPELESS_INPUTS = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']

/** True where letters are meant as letters (WCAG 2.1.4). */
export function isTypingTarget(target: {
  tagName?: string
  type?: string
  isContentEditable?: boolean
  role?: string | null
}): boolean {
  if (target.isContentEditable) return true
  if (target.role === 'textbox' || target.role === 'combobox' || target.role === 'listbox' || target.role === 'menu')
    return true
  if (target.tagName === 'INPUT') return !TYPELESS_INPUTS.includes(target.type ?? 'text')
  return target.tagName === 'TEXTAREA' || target.tagName === 'SELECT'
}
