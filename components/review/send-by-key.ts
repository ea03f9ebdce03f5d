import type { KeyboardEvent } from 'react'

/** Sends by Ctrl Enter, as people expect where Enter makes a line. */
export const sendByKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}
