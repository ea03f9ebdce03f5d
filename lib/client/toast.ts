import type { ExternalToast, toast as sonnerToast } from 'sonner'

type Toasts = typeof sonnerToast

let connected: Toasts | undefined
const waiting: ((toasts: Toasts) => void)[] = []

/** Called by `Toaster` once it stands: what was said before is shown now. */
export function connectToasts(toasts: Toasts): void {
  connected = toasts
  for (const say of waiting.splice(0)) say(toasts)
}

function say(words: (toasts: Toasts) => void) {
  if (connected) words(connected)
  else waiting.push(words)
}

/** What just happened, said in a corner. The code that shows it is loaded after the page; what comes before waits. */
export const toast = Object.assign(
  (text: string, options?: ExternalToast) => say((toasts) => void toasts(text, options)),
  {
    success: (text: string, options?: ExternalToast) => say((toasts) => void toasts.success(text, options)),
    error: (text: string, options?: ExternalToast) => say((toasts) => void toasts.error(text, options)),
    info: (text: string, options?: ExternalToast) => say((toasts) => void toasts.info(text, options)),
    warning: (text: string, options?: ExternalToast) => say((toasts) => void toasts.warning(text, options)),
    /** All of them without `id`. */
    dismiss: (id?: string | number) => say((toasts) => void toasts.dismiss(id)),
  },
)
