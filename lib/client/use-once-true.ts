import { useState } from 'react'

/** Whether it was true once: what was opened stays, so that it can close by its motion. */
export function useOnceTrue(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return was || is
}
