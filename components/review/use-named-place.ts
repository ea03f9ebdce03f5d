import { useEffect, useRef, useState } from 'react'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

/**
 * Shows what the address names in the file that is opened with it: a comment (`#comment=ID`), a finding (`#check=ID`), a
 * moment (`#t=SECONDS`). Once for each address, as soon as it has come; the drawer has the file there as well
 * (`#file=ID&comment=ID`).
 */
export function useNamedPlace(room: Room, view: View, showDetails?: () => void) {
  const done = useRef<string | null>(null)
  const [followed, setFollowed] = useState(0)
  const { file, comments, result } = room
  useEffect(() => {
    const follow = () => setFollowed((count) => count + 1)
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again only when something of the file has come, or an address
  useEffect(() => {
    const address = window.location.hash.slice(1)
    const named = new URLSearchParams(address)
    if (!file || done.current === address || (named.has('file') && named.get('file') !== file.id)) return
    const [comment, check, time] = [named.get('comment'), named.get('check'), named.get('t')]
    if (comment) {
      const found = comments.find(({ id }) => id === comment)
      if (!found) return
      view.select(found.parent_id ?? found.id)
      showDetails?.()
    } else if (check) {
      const found = result?.checks.find(({ check_id }) => check_id === check)
      if (!found) return
      view.setFocus({ checkId: found.check_id, label: found.label, occurrence: found.occurrences?.[0] })
      showDetails?.()
    } else if (time && Number(time) >= 0) view.seek(Number(time))
    done.current = address
  }, [file?.id, comments.length, result?.id, followed])
}
