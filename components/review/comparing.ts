import type { File } from '@/lib/domain/files/schema'
import type { BatchPath } from './room-queries'

/** As many files are compared at once. */
export const MOST_COMPARED = 4

export const COMPARE_MODES = [
  { value: 'side', label: 'Side by side' },
  { value: 'slider', label: 'Slider' },
  { value: 'difference', label: 'Difference' },
] as const
type CompareMode = (typeof COMPARE_MODES)[number]['value']

/** A file that another one is compared with, of any batch. */
export type Compared = BatchPath & { file_id: string }

/** What the file that is viewed is compared with, and how. `pair`: the one of them that lies under the slider. */
export type Comparison = { others: readonly Compared[]; mode: CompareMode; pair: string | null }

export const comparedOf = ({ project_id, batch_id }: BatchPath, { id }: Pick<File, 'id'>): Compared => ({
  project_id,
  batch_id,
  file_id: id,
})

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** As the address of the room names it: files of the same batch by their id, others with project and batch before it. */
export function comparisonWords(batch: BatchPath, { others, mode, pair }: Comparison): string {
  const refs = others.map(({ project_id, batch_id, file_id }) =>
    batch_id === batch.batch_id ? file_id : `${project_id}.${batch_id}.${file_id}`,
  )
  return `compare=${refs.join(',')}&mode=${mode}${pair && pair !== others[0]?.file_id ? `&against=${pair}` : ''}`
}

/** What an address names; null where it names no comparison. What is malformed, twice there or too much is left out. */
export function readComparison(batch: BatchPath, fileId: string, named: URLSearchParams): Comparison | null {
  const refs = named.get('compare')
  if (refs === null) return null
  const found = new Map<string, Compared>()
  for (const ref of refs.split(',')) {
    const ids = ref.split('.')
    if (!ids.every((id) => ID.test(id)) || (ids.length !== 1 && ids.length !== 3)) continue
    const file_id = ids.at(-1) ?? ''
    const [project_id, batch_id] = ids.length === 3 ? ids : [batch.project_id, batch.batch_id]
    if (file_id !== fileId && project_id && batch_id) found.set(file_id, { project_id, batch_id, file_id })
  }
  const others = [...found.values()].slice(0, MOST_COMPARED - 1)
  const mode = COMPARE_MODES.find(({ value }) => value === named.get('mode'))?.value ?? 'side'
  return { others, mode, pair: named.get('against') ?? others[0]?.file_id ?? null }
}
