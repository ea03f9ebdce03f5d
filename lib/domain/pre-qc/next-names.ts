import type { NextNames } from '@/lib/checks/check'
import { nameMatchesMediaCheck } from '@/lib/checks/file/name-matches-media-check'
import { knownFactsOf } from '@/lib/checks/known-facts'
import type { MediaFacts } from '@/lib/media/facts'
import { nameChanges } from '../files/rules'
import type { TokenValues } from '../naming/claims'
import { type Naming, nextName } from '../naming/next-version'

/** Under which names a file would be sent again: one that says what was measured, or its own where the file is to change. */
export function nextNamesOf(naming: Naming, name: string, values: TokenValues, media: MediaFacts): NextNames {
  const { proposed, changeable } = nameChanges(null, [nameMatchesMediaCheck.id], values, knownFactsOf(media))
  return {
    asMeasured: nextName(naming, { name, changeable, proposed }),
    asClaimed: nextName(naming, { name, changeable: [] }),
  }
}
