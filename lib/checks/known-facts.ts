import type { KnownFacts } from '@/lib/domain/naming/tokens'
import type { MediaFacts } from '@/lib/media/facts'
import { sizeAsSeen } from './visual/size'

/** What the file itself says of what a name may claim: pixels as people see them, seconds, frames per second. */
export function knownFactsOf(media: MediaFacts): KnownFacts {
  const facts: KnownFacts = media.kind === 'image' || media.kind === 'video' ? { ...sizeAsSeen(media) } : {}
  if ('durationSeconds' in media && media.durationSeconds !== null) facts.durationSeconds = media.durationSeconds
  if (media.kind === 'video') facts.fps = media.frameRate.average
  return facts
}
