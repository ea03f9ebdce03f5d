import { Button } from '@/components/ui/button'
import type { Player } from './use-player'
import type { View } from './use-view'

/** Stops the player and begins a comment at the time it shows, in seconds to the millisecond. */
export function CommentAtTime({ player, view }: { player: Player; view: View }) {
  return (
    <Button
      size="sm"
      variant="ghost"
      onClick={() => {
        player.halt()
        view.setDraft({ kind: 'time', time: Math.round(view.time * 1000) / 1000 })
      }}
    >
      Comment at this time
    </Button>
  )
}
