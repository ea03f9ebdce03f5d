import { isEmptyPhrase, phraseKey } from '@/lib/checks/match-copy'
import type { BatchStatus, DueState, Holder, WorkPart, WorkTask } from '@/lib/vocabulary'
import { type FieldError, invalidState, quote } from '../kernel/errors'
import type { Naming } from '../naming/next-version'
import { nameKey } from '../naming/portable-name'
import { validateName } from '../naming/validate-name'

export { BATCH_MOVES, mayMove, move } from './states'

/** States in which staff may add files, and in which a link may. An approved batch holds only what was approved. */
export const STAFF_UPLOADS: readonly BatchStatus[] = ['open', 'in_review', 'awaiting_resupply']
export const LINK_UPLOADS: readonly BatchStatus[] = ['open', 'awaiting_resupply']

/** @throws `invalid_state` */
export function assertTakesFiles(status: BatchStatus, by: 'user' | 'upload_link') {
  const allowed = by === 'user' ? STAFF_UPLOADS : LINK_UPLOADS
  if (allowed.includes(status)) return
  const why: Partial<Record<BatchStatus, string>> = {
    in_review: 'The batch is being reviewed; files can be added again when the review asks for a resupply.',
    approved:
      by === 'user'
        ? 'The batch is approved, and holds only what was approved. Submit it again to begin a new round, then add the file.'
        : 'The batch is approved and complete; nothing more is needed.',
    cancelled: 'The batch was cancelled and takes no more files.',
  }
  throw invalidState(why[status] ?? `The batch is ${status} and takes no files.`, status, allowed)
}

/** The round after a submit: a new one, unless the batch was still in review. */
export const roundAfterSubmit = (status: BatchStatus, round: number) => (status === 'in_review' ? round : round + 1)

type Version = { id: string; nameKey: string; isCurrent: boolean; supersedesId: string | null }

/** Each current file of all versions given, with the name keys of it and its earlier versions, its own first. */
export function namesOfVersions<V extends Version>(versions: readonly V[]): { file: V; keys: string[] }[] {
  const byId = new Map(versions.map((version) => [version.id, version]))
  return versions
    .filter(({ isCurrent }) => isCurrent)
    .map((file) => {
      const keys: string[] = []
      for (let at: V | undefined = file; at; at = byId.get(at.supersedesId ?? '')) keys.push(at.nameKey)
      return { file, keys }
    })
}

/** Who has to act on a batch in this state: those who send files, those who evaluate them, or neither. */
export function holderOf(status: BatchStatus): Holder | null {
  if (status === 'in_review') return 'service'
  return status === 'open' || status === 'awaiting_resupply' ? 'agency' : null
}

const HOUR = 3_600_000
/** A review still has to follow what the agency sends, so that a batch with the agency is at risk a day earlier. */
const AT_RISK_HOURS = { service: 24, agency: 48 } as const

/**
 * How a batch stands against the day it is due (all of that day, UTC). Null when it has none, or was cancelled.
 * An approved batch is evaluated by the time of its approval, any other by the present.
 */
export function dueStateOf(
  batch: { dueOn: string | null; status: BatchStatus; reviewedAt: Date | null },
  now: Date,
): DueState | null {
  if (!batch.dueOn || batch.status === 'cancelled') return null
  const end = Date.parse(`${batch.dueOn}T00:00:00.000Z`) + 24 * HOUR
  const isApproved = batch.status === 'approved'
  const at = isApproved && batch.reviewedAt ? batch.reviewedAt : now
  const left = end - at.getTime()
  if (left <= 0) return 'late'
  if (isApproved) return 'met'
  return left <= AT_RISK_HOURS[holderOf(batch.status) ?? 'service'] * HOUR ? 'at_risk' : 'on_track'
}

/** What a person has to do about a batch now. */
export function taskOf(
  batch: {
    status: BatchStatus
    operatorId: string | null
    coordinatorId: string | null
    files: number
    /** All that was expected of a resupply has arrived. */
    isResupplied: boolean
  },
  person: { id: string },
): WorkTask {
  if (batch.status === 'in_review' && batch.operatorId === person.id) return 'review'
  const isTheirs = batch.coordinatorId === person.id || batch.operatorId === person.id
  const isReady = batch.status === 'open' ? batch.files > 0 : batch.isResupplied
  if (isReady && isTheirs) return 'submit'
  return 'wait'
}

/** Where My work has a batch: what waits for the person and is late stands before all else. */
export const partOfWork = (task: WorkTask, due: DueState | null): WorkPart =>
  due === 'late' && task !== 'wait' ? 'late' : task

/**
 * What is wrong with the names of a manifest: the same name twice, or one under which no file could arrive.
 * @param arrived keys of names that were taken before, whatever the convention is now
 * @param field the name under which the request has the entries, for the paths of errors
 */
export function manifestErrors(
  naming: Naming,
  entries: readonly { name: string }[],
  arrived: ReadonlySet<string>,
  field: 'files' | 'manifest' = 'files',
): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Map<string, number>()
  for (const [index, { name }] of entries.entries()) {
    const path = `${field}.${index}.name`
    const key = nameKey(name)
    const first = seen.get(key)
    if (first !== undefined) {
      const message = `${quote(name)} is on the manifest twice, in lines ${first + 1} and ${index + 1}. Leave one of them out.`
      errors.push({ path, code: 'duplicate', message })
      continue
    }
    seen.set(key, index)
    if (arrived.has(key)) continue
    const { violations, suggestion } = validateName({ ...naming, name })
    if (violations.length === 0) continue
    const faults = violations.map(({ message }) => message).join(' ')
    const proposal = suggestion === null ? '' : ` Write ${quote(suggestion)}.`
    const message = `Line ${index + 1}: no file can arrive as ${quote(name)}. ${faults}${proposal}`
    errors.push({ path, code: 'invalid_name', message })
  }
  return errors
}

/** Letters of all phrases together: each is searched for in all that a file says. */
const MOST_COPY = 3000

/** What is wrong with required copy beyond its shape: nothing to search for, the same phrase twice, too much in all. */
export function copyErrors(phrases: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = []
  const first = new Map<string, number>()
  for (const [index, phrase] of phrases.entries()) {
    const path = `required_copy.${index}`
    if (isEmptyPhrase(phrase)) {
      errors.push({
        path,
        code: 'nothing_to_find',
        message: `The phrase ${quote(phrase)} in line ${index + 1} has no letter and no digit, so nothing could be found. Write out the words.`,
      })
      continue
    }
    const earlier = first.get(phraseKey(phrase))
    if (earlier !== undefined) {
      errors.push({
        path,
        code: 'duplicate',
        message: `The phrase ${quote(phrase)} is there twice, in lines ${earlier + 1} and ${index + 1}: case, spaces and punctuation make no difference. Leave one of them out.`,
      })
    }
    first.set(phraseKey(phrase), index)
  }
  const total = phrases.reduce((sum, phrase) => sum + phrase.length, 0)
  if (total > MOST_COPY) {
    errors.push({
      path: 'required_copy',
      code: 'too_big',
      message: `The required copy has ${total} characters in all; at most ${MOST_COPY} can be searched for. Keep the phrases that must not be missing.`,
    })
  }
  return errors
}
