import type { ByteSource } from '../byte-source'

/** Kind (02 header, 03 body, 04 footer) and status (odd while it is open). */
export const PARTITION = /^060e2b34020501..0d01020101(0[234])(0[1-4])00$/
/** Bytes that may stand before the header partition (ST 377-1, run-in). */
const MOST_RUN_IN = 65_536

/**
 * Where the header partition begins, behind a run-in of at most 64 KiB; null where none does. A run-in does not hold the
 * first eleven bytes of a partition (ST 377-1, run-in).
 */
export function findHeader(source: ByteSource): number | null {
  const at = source.upTo(0, MOST_RUN_IN + 16).indexOf('060e2b34020501010d0102', 0, 'hex')
  if (at < 0 || at > MOST_RUN_IN) return null
  return PARTITION.test(source.upTo(at, 16).toString('hex')) ? at : null
}
