import type { CopyFacts } from '@/lib/domain/playback/port'

/** Paths in a folder that both processes may write to: of the copy, and of its pieces where those are wanted. */
export type FileToCopy = {
  path: string
  into: string
  pieces: string | null
  mediaType: string
  kind: 'video' | 'audio'
}

/** Bytes of the file of pieces, from the first to before the last, and the seconds they play. */
export type WrittenPiece = { number: number; from: number; to: number; start: number; end: number }

export type CopierJobs = {
  /** Reports how much is done, per cent; and each piece, with the seconds that the whole will have. */
  copy: { request: FileToCopy; result: CopyFacts; progress: number | { piece: WrittenPiece; whole: number } }
}
