import type { FileOrder, IntegrityState } from '@/lib/vocabulary'
import { quote } from '../kernel/errors'

/* What screens ask of a file, too: apart from the rules of its name, which weigh more than a screen should. */

/** The direction of an order of files unless another is asked for. */
export const directionOf = (order: FileOrder): 'asc' | 'desc' =>
  order === 'name' || order === 'decision' || order === 'verdict' ? 'asc' : 'desc'

const UNSETTLED: Record<Exclude<IntegrityState, 'sound'>, string> = {
  pending: 'is still being decoded to its end',
  quarantined: 'failed its integrity check and is in quarantine',
}

/** Why the file cannot be approved, or null: approval is of bytes that are known to decode to their end. */
export const whyNotApprovable = ({
  name,
  integrity,
  removed,
}: {
  name: string
  integrity: IntegrityState
  /** As the interface says it. */
  removed?: object | null
}): string | null => {
  if (removed) return `${quote(name)} was removed by a retention rule.`
  return integrity === 'sound' ? null : `${quote(name)} ${UNSETTLED[integrity]}.`
}
