import type { Removal, RemovalRule } from '@/db/schema/files'
import { formatCount, formatDate } from '@/lib/format'
import type { RetentionStatus } from '@/lib/vocabulary'
import { DomainError, quote } from '../kernel/errors'

const AFTER: Record<RetentionStatus, string> = {
  completed: 'its project was completed',
  cancelled: 'its project or batch was cancelled',
  archived: 'its project was archived',
  rejected: 'it was rejected',
  replaced: 'a newer version replaced it',
}

/** As a rule is said: `90 days after its project was completed, by the retention rule of the service`. */
export const ruleWords = ({ rule, days, of }: RemovalRule): string =>
  `${formatCount(days, 'day')} after ${AFTER[rule]}, by the retention rule of the ${of}`

type RemovalOf = { name: string; removal: Removal | null }

/** @throws `removed` for a file whose bytes are no longer kept */
export function assertBytes(file: RemovalOf & { removedAt: Date | null }) {
  if (file.removedAt) throw removed(quote(file.name), file.removedAt, file.removal?.file)
}

/** @throws `removed` for a file whose previews and evidence are no longer kept */
export function assertPreviews(file: RemovalOf & { previewsRemovedAt: Date | null }) {
  if (file.previewsRemovedAt)
    throw removed(`The preview of ${quote(file.name)}`, file.previewsRemovedAt, file.removal?.previews)
}

const removed = (what: string, at: Date, rule: RemovalRule | undefined) =>
  new DomainError(
    'removed',
    `${what} was removed on ${formatDate(at)}${rule ? `, ${ruleWords(rule)}` : ''}. Its name, hash, verdicts and decisions are kept.`,
  )
