import type { RepairStep } from '@/lib/repairs/steps'
import type { MediaKind } from '../facts'

/** `into`: a path in a folder that both processes may write to. */
export type FileToRepair = {
  path: string
  into: string
  mediaType: string
  kind: MediaKind
  steps: readonly RepairStep[]
}

/** A part of a file by its hash. */
export type FilePart = { name: string; sha256: string }

export type RepairerJobs = {
  repair: { request: FileToRepair; result: { mediaType: string; before: FilePart[]; after: FilePart[] } }
}
