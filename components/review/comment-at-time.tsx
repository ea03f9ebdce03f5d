import { Button } from '@/components/ui/button'
import { useShortcuts } from '@/lib/client/shortcuts'
import { toMillisecond } from '@/lib/timecode'
import type { Player } from './use-player'
import type { View } from './use-view'

/** Stops the player and begins a comment at the time it shows; then, farther on, lets it reach until there. */
export function CommentAtTime({ player, view }: { player: Player; view: View }) {
  const { draft } = view
  const now = toMillisecond(view.time)
  const begun = draft?.kind === 'time' && now > draft.time ? draft : null
  const begin = () => {
    player.halt()
    view.setDraft({ kind: 'time', time: now })
  }
  const end = () => {
    if (!begun) return
    player.halt()
    view.setDraft({ ...begun, end: now })
  }
  useShortcuts([
    { keys: '[', label: 'Comment at this time', group: 'Playing', run: begin },
    { keys: ']', label: 'Until here, from the time of the comment', group: 'Playing', run: end },
  ])
  return (
    <>
      <Button size="sm" variant="ghost" onClick={begin}>
        Comment at this time
      </Button>
      {begun && begun.end !== now && (
        <Button size="sm" variant="ghost" onClick={end}>
          Until here
        </Button>
      )}
    </>
  )
}
