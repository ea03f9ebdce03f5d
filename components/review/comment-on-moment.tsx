import { Button } from '@/components/ui/button'
import type { Look } from './use-look'
import type { Player } from './use-player'

/** Stops the player and begins a comment on the moment it shows, in seconds to the millisecond. */
export function CommentOnMoment({ player, look }: { player: Player; look: Look }) {
  return (
    <Button
      size="sm"
      variant="ghost"
      onClick={() => {
        player.halt()
        look.setDraft({ kind: 'time', time: Math.round(look.time * 1000) / 1000 })
      }}
    >
      Comment on this moment
    </Button>
  )
}
