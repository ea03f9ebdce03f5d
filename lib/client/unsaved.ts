'use client'

/**
 * What is typed and not saved, anywhere in this tab. One rule: a user about to leave it (a link, a shortcut, the
 * palette, Back, Esc) asks first. Forms say so by `useUnsavedGuard`, dialogs find out by themselves.
 */
export interface Unsaved {
  isUnsaved: () => boolean
  /** Asks in its own place (over the dialog it belongs to); without it the page's own question is asked. */
  ask?: () => Promise<boolean>
  /** Goes on while other pages of the tab are shown: only closing or reloading the tab would lose it. */
  isOfTab?: boolean
}

const guards: Unsaved[] = []
let askOfPage: (() => Promise<boolean>) | undefined
let isAllowed = false

/** Adds something that can be unsaved; returns how to take it away. The newest is asked first. */
export function addUnsaved(guard: Unsaved): () => void {
  if (guards.length === 0) window.addEventListener('beforeunload', beforeUnload)
  guards.push(guard)
  return () => {
    guards.splice(guards.indexOf(guard), 1)
    if (guards.length === 0) window.removeEventListener('beforeunload', beforeUnload)
  }
}

/** The browser's own question: closing, reloading, another site. On every page that has something unsaved. */
function beforeUnload(event: BeforeUnloadEvent) {
  if (!isAllowed && guards.some((guard) => guard.isUnsaved())) event.preventDefault()
}

const findUnsaved = () => guards.findLast((guard) => !guard.isOfTab && guard.isUnsaved())

/** Whether anything would be lost with the page that is shown. */
const hasUnsaved = () => findUnsaved() !== undefined

/** True when nothing would be lost, or the reader says that it may be. */
async function mayLeave(): Promise<boolean> {
  const guard = findUnsaved()
  if (!guard || isAllowed) return true
  return (await (guard.ask ?? askOfPage)?.()) ?? true
}

/** Goes somewhere, unless the reader would rather keep what is unsaved. */
export async function leaveBy(go: () => void): Promise<void> {
  if (!(await mayLeave())) return
  isAllowed = true
  try {
    go()
  } finally {
    isAllowed = false
  }
}

/** Watches the ways out that stay in this tab: links, Back and Forward. Once a tab; `ask` is the page's own question. */
export function watchWaysOut(ask: () => Promise<boolean>): () => void {
  askOfPage = ask
  const isFree = () => isAllowed || !hasUnsaved()

  // Before the router sees it: links take it over at the root of the document.
  const click = (event: MouseEvent) => {
    const link = linkOf(event)
    if (!link || isFree()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void leaveBy(() => link.click())
  }
  // Back and Forward. Where there is no Navigation API, only the browser's question above is left.
  const traverse = (event: NavigateEvent) => {
    if (event.navigationType !== 'traverse' || event.hashChange || !event.cancelable || isFree()) return
    if (isSamePage(new URL(event.destination.url))) return
    event.preventDefault()
    const { key } = event.destination
    void mayLeave().then((may) => {
      if (!may) return
      isAllowed = true
      const done = () => (isAllowed = false)
      window.navigation.traverseTo(key).finished?.then(done, done)
    })
  }
  window.addEventListener('click', click, true)
  window.navigation?.addEventListener('navigate', traverse)
  return () => {
    window.removeEventListener('click', click, true)
    window.navigation?.removeEventListener('navigate', traverse)
  }
}

/** The link that is followed in this tab, to another page of ours. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return null
  const to = new URL(link.href, window.location.href)
  // Other sites and files: the browser asks, or nothing is left at all.
  return to.origin === window.location.origin && !to.pathname.startsWith('/api/') && !isSamePage(to) ? link : null
}

const isSamePage = ({ pathname }: URL) => pathname === window.location.pathname
