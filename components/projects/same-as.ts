import type { Batch, Manifest } from '@/lib/domain/batches/schema'

/** What a new batch takes over from an earlier one of its project, as its form holds it. */
export type TakenOver = {
  media_category_id: string
  operator_id: string | null
  coordinator_id: string | null
  naming_template: string | null
  destinations: string[] | null
  due_on: string
  manifest: string
  required_copy: string
}

const DAY_MS = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * @param withdrawn ids of destinations that no new batch may name
 * @param now milliseconds; the new batch is due as many days (UTC) from now as the earlier was after its creation
 */
export function takeOver(
  batch: Batch,
  manifest: Pick<Manifest, 'files'>,
  withdrawn: readonly string[],
  now: number,
): TakenOver {
  const days = batch.due ? (Date.parse(batch.due.on) - Date.parse(dayAt(Date.parse(batch.created_at)))) / DAY_MS : -1
  const destinations = batch.destinations?.filter((id) => !withdrawn.includes(id)) ?? null
  return {
    media_category_id: batch.media_category.id,
    operator_id: batch.operator?.id ?? null,
    coordinator_id: batch.coordinator?.id ?? null,
    naming_template: batch.naming_template,
    destinations,
    due_on: days >= 0 ? dayAt(now + days * DAY_MS) : '',
    manifest: manifest.files.map(({ name, note }) => (note ? `${cell(name)}\t${note}` : cell(name))).join('\n'),
    required_copy: batch.required_copy.join('\n'),
  }
}

/** A name as a cell of a line, so that what separates cells stays part of it. */
const cell = (name: string) => (/[,;"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)
