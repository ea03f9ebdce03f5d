import { DOCUMENTS } from './documents'
import { IMAGES } from './images'
import type { Labelled } from './labelled'

/** The labelled set, kind by kind. Nothing is written before a file's `write` is called. */
export const LABELLED: readonly Labelled[] = [...IMAGES, ...DOCUMENTS]
