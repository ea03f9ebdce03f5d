import { ADS } from './ads'
import { ARCHIVES } from './archives'
import { COPY } from './copy'
import { DOCUMENTS } from './documents'
import { FILES } from './files'
import { FILMS } from './films'
import { IMAGES } from './images'
import type { Labelled } from './labelled'
import { SOUNDS } from './sounds'

/** The labelled set, kind by kind. Nothing is written before a file's `write` is called. */
export const LABELLED: readonly Labelled[] = [
  ...FILES,
  ...IMAGES,
  ...DOCUMENTS,
  ...FILMS,
  ...SOUNDS,
  ...ARCHIVES,
  ...COPY,
  ...ADS,
]
