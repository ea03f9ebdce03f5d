import { ADS } from './ads'
import { ARCHIVES } from './archives'
import { AUDIO } from './audio'
import { COPY } from './copy'
import { DOCUMENTS } from './documents'
import { FILES } from './files'
import { IMAGES } from './images'
import type { Labelled } from './labelled'
import { VIDEOS } from './videos'

/** The labelled set, kind by kind. Nothing is written before a file's `write` is called. */
export const LABELLED: readonly Labelled[] = [
  ...FILES,
  ...IMAGES,
  ...DOCUMENTS,
  ...VIDEOS,
  ...AUDIO,
  ...ARCHIVES,
  ...COPY,
  ...ADS,
]
