import type { Activity } from '@/lib/domain/batches/schema'
import { eventLabel, LABELS } from '@/lib/vocabulary'

/** What one or several people did at one go, as it is read: `Ann uploaded 24 files`. */
export type ActivityLine = { first: Activity; count: number; sentence: string }

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

const actorOf = ({ actor }: Activity) => {
  if (actor.type === 'upload_link') return actor.name ? `“${actor.name}” (upload link)` : 'An upload link'
  if (actor.type === 'system') return 'Greenroom'
  return actor.name
}

/** What stands for one event, or for many of the same kind by the same one in a row. */
function sentenceOf(activity: Activity, times: number): string {
  const { type, details, file } = activity
  const who = actorOf(activity)
  const what = times > 1 ? count(times, 'file') : file ? file.name : 'a file'
  switch (type) {
    case 'file.received':
      return `${who} uploaded ${what}${times === 1 && numberOf(details.version) > 1 ? `, version ${details.version}` : ''}`
    case 'upload.rejected':
      return times > 1 ? `${count(times, 'file')} of ${who} refused` : `${what} of ${who} was refused`
    case 'file.deleted':
      return `${who} deleted ${what}`
    case 'file.moved':
      return details.from
        ? `${who} moved ${what} here from “${details.from}”`
        : `${who} moved ${what} to “${details.to}”`
    case 'file.quarantined':
      return `${what} ${times > 1 ? 'were' : 'was'} put in quarantine`
    case 'file.reviewed': {
      const after = details.after === 'approved' ? 'approved' : 'rejected'
      return `${who} ${after} ${what}`
    }
    case 'file.review_undone':
      return `${who} took back the decision on ${what}`
    case 'batch.created':
      return `${who} created the batch`
    case 'batch.updated':
      return `${who} changed the batch`
    case 'batch.cancelled':
      return `${who} cancelled the batch`
    case 'batch.submitted':
      return `${who} submitted ${count(numberOf(details.files), 'file')}, round ${details.round}`
    case 'batch.resupplied':
      return 'Everything that was asked for again has arrived'
    case 'batch.review_completed':
      return details.outcome === 'approved'
        ? `${who} completed the review: ${LABELS.batchStatus.approved.toLowerCase()}`
        : `${who} completed the review: ${count(numberOf(details.rejected), 'file')} asked for again`
    case 'pre_qc.completed':
      return `Checks finished: ${details.pass ?? 0} passed, ${count(numberOf(details.warning), 'warning')}, ${details.fail ?? 0} failed`
    case 'pre_qc.rerun':
      return `${who} ran the checks of ${what} again`
    case 'comment.added':
      return times > 1 ? `${who} commented ${times} times` : `${who} commented on ${what}`
    case 'upload_link.created':
      return `${who} created ${linkOf(details)}`
    case 'upload_link.updated':
      return `${who} changed ${linkOf(details)}`
    case 'upload_link.deactivated':
      return `${who} deactivated ${linkOf(details)}`
    case 'upload_link.opened':
      return `${who} was opened`
    case 'mail.sent':
      return times > 1 ? `Mail to ${count(times, 'person', 'people')}` : `Mail to ${details.to ?? 'a member'}`
    case 'delivery.requested':
      return `${who} asked for a delivery of ${count(numberOf(details.files), 'file')} to “${details.to}”`
    case 'delivery.completed':
      return `${count(numberOf(details.files), 'file')} delivered to “${details.to}” and verified`
    case 'delivery.failed':
      return `The delivery to “${details.to}” failed`
    case 'delivery.retried':
      return `${who} tried the delivery to “${details.to}” again`
    case 'delivery.cancelled':
      return `${who} cancelled the delivery to “${details.to}”`
    case 'share_link.created':
      return `${who} shared ${count(numberOf(details.files), 'file')} with “${details.to}”`
    case 'share_link.updated':
      return `${who} changed the share link for “${details.to}”`
    case 'share_link.deactivated':
      return `${who} switched off the share link for “${details.to}”`
    case 'share_link.opened':
      return `${who} opened the shared files`
    case 'share_link.downloaded':
      return `${who} downloaded ${times > 1 ? `shared files ${times} times` : (file?.name ?? count(numberOf(details.files), 'shared file'))}`
    case 'manifest.replaced':
      return `${who} set the manifest: ${count(numberOf(details.expected), 'file')} expected`
    default:
      return `${eventLabel(type)}${file ? `: ${what}` : ''}, ${who}`
  }
}

const linkOf = ({ label }: Activity['details']) => (label ? `the upload link “${label}”` : 'an upload link')

/** Types of which many in a row are one line. */
const GATHERED = new Set([
  'file.received',
  'upload.rejected',
  'file.reviewed',
  'file.review_undone',
  'file.deleted',
  'file.moved',
  'comment.added',
  'mail.sent',
  'pre_qc.rerun',
  'share_link.downloaded',
])
/** Further apart than this they are two. */
const APART_MS = 3_600_000

/** Newest first, as they came: what one did many times at one go is one line. */
export function linesOf(activities: readonly Activity[]): ActivityLine[] {
  const groups: Activity[][] = []
  for (const activity of activities) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && belongs(last, activity)) group.push(activity)
    else groups.push([activity])
  }
  return groups.flatMap((group) => {
    const [first] = group
    return first ? [{ first, count: group.length, sentence: sentenceOf(first, group.length) }] : []
  })
}

const belongs = (a: Activity, b: Activity) =>
  GATHERED.has(a.type) &&
  a.type === b.type &&
  a.actor.id === b.actor.id &&
  a.actor.type === b.actor.type &&
  a.details.after === b.details.after &&
  (a.type !== 'file.moved' || (a.details.from === b.details.from && a.details.to === b.details.to)) &&
  Date.parse(a.created_at) - Date.parse(b.created_at) <= APART_MS
