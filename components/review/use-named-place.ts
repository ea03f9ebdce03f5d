import { useEffect, useRef } from 'react'
import type { Room } from './use-room'
import { seekListeners, type View } from './use-view'

/**
 * Shows what the address names in the file that was opened with the page: a comment (`#comment=ID`), a finding
 * (`#check=ID`), a moment (`#t=SECONDS`). Once, as soon as it has come.
 */
export function useNamedPlace(room: Room, view: View) {
  const isDone = useRef(false)
  const { file, comments, result } = room
  // biome-ignore lint/correctness/useExhaustiveDependencies: again only when something of the file has come
  useEffect(() => {
    if (isDone.current || !file) return
    const named = new URLSearchParams(window.location.hash.slice(1))
    const [comment, check, time] = [named.get('comment'), named.get('check'), named.get('t')]
    if (comment) {
      const found = comments.find(({ id }) => id === comment)
      if (found) view.select(found.parent_id ?? found.id)
      isDone.current = found !== undefined
    } else if (check) {
      const found = result?.checks.find(({ check_id }) => check_id === check)
      if (found) view.setFocus({ checkId: found.check_id, label: found.label, occurrence: found.occurrences?.[0] })
      isDone.current = found !== undefined
    } else {
      const seconds = Number(time)
      if (time && seconds >= 0) {
        view.setTime(seconds)
        for (const seek of seekListeners) seek(seconds)
      }
      isDone.current = true
    }
  }, [file?.id, comments.length, result?.id])
}
