import type { Plate, PlateNote } from './plates'

/** `page`: from 1. `plate`: of those listed, from 0; null: they are only listed. `into`: a path that both processes may write to. */
export type PageToSeparate = { path: string; page: number; plate: number | null; into: string }

/** `refused`: a sentence why the page has no plates to show. */
export type Separated = { plates: Plate[]; notes: PlateNote[] } | { refused: string } | { missing: 'page' | 'plate' }

export type SeparatorJobs = { separate: { request: PageToSeparate; result: Separated } }
