'use client'

import { useEffect } from 'react'

/** Closes the tab it is in, where the browser lets it: in those that another page of ours opened. */
export function CloseTab() {
  useEffect(() => window.close(), [])
  return null
}
