import { serve } from '@/lib/sandbox/serve'
import { makeTiles } from './make-tiles'
import type { TilerJobs } from './protocol'

/** The program that cuts images into tiles (protocol.ts). */
await serve<TilerJobs>({ jobs: { tile: makeTiles } })
