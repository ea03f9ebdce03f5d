import type { CopyFacts } from '@/lib/domain/playback/port'

/** `into`: a path in a folder that both processes may write to. */
export type FileToCopy = { path: string; into: string; mediaType: string; kind: 'video' | 'audio' }

export type CopierJobs = {
  /** Reports how much is done, per cent. */
  copy: { request: FileToCopy; result: CopyFacts; progress: number }
}
