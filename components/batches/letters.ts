import type { Batch } from '@/lib/domain/batches/schema'
import { formatCount, formatDate } from '@/lib/format'
import type { Missing } from './submit-batch'

/** Names a message lists; a longer list is cut. */
const MOST_NAMED = 20

type About = {
  batch: Pick<Batch, 'name' | 'due' | 'counts'>
  projectName: string
  /** Address of the upload page. */
  url: string
}

/** A message to the agency that says which files are still to come, to be pasted into a mail or chat. */
export function reminderOf({ batch, projectName, url }: About, expected: number, missing: Missing): string {
  const named = missing.names.slice(0, MOST_NAMED).map((name) => `- ${name}`)
  if (missing.count > named.length) named.push(`- and ${missing.count - named.length} more`)
  return letter([
    `${missing.count} of ${formatCount(expected, 'file')} of “${batch.name}” (${projectName}) ${missing.count === 1 ? 'has' : 'have'} not arrived yet:`,
    named.join('\n'),
    `Please upload ${missing.count === 1 ? 'it' : 'them'} here: ${url}`,
    dueLine(batch),
  ])
}

/** A message to the agency that asks for new versions; the upload page says of which files, and why. */
export function resupplyRequestOf({ batch, projectName, url }: About): string {
  const { rejected } = batch.counts
  return letter([
    `${formatCount(rejected, 'file')} of “${batch.name}” (${projectName}) ${rejected === 1 ? 'needs a new version' : 'need new versions'}. This page shows which, what is wrong, and how to fix it:`,
    url,
    dueLine(batch),
  ])
}

const dueLine = ({ due }: Pick<Batch, 'due'>) => due && `Due: ${formatDate(due.on)}.`

const letter = (parts: readonly (string | null)[]) =>
  ['Hello,', ...parts].filter((part) => part !== null && part !== '').join('\n\n')
