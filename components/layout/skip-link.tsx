/** First stop of the keyboard: over the navigation, to the content. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-sm font-medium text-on-accent shadow-popover focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  )
}
