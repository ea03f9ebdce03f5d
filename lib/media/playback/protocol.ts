import type { ChannelPair, CopyFacts } from '@/lib/domain/playback/port'

/** Paths in a folder that both processes may write to: of the copy, of its pieces where those are wanted, of pairs of channels. */
export type FileToCopy = {
  path: string
  into: string
  pieces: string | null
  /** How the paths of pairs begin: `0.m4a`, `1.m4a` and so on follow. */
  pairs: string
  mediaType: string
  kind: 'video' | 'audio'
}

/** As many bars as a screen has room for, and points of the curve over them. */
export const PEAKS = 480
export const LOUDNESS_POINTS = 600

/** Pairs of channels that are written of a file: 32 channels. */
export const MOST_PAIRS = 16

export const pathOfPair = (prefix: string, number: number) => `${prefix}${number}.m4a`

/** Bytes of the file of pieces, from the first to before the last, and the seconds they play. */
export type WrittenPiece = { number: number; from: number; to: number; start: number; end: number }

export type CopierJobs = {
  /** Reports how much is done, per cent; and each piece, with the seconds that the whole will have. */
  copy: {
    request: FileToCopy
    result: CopyFacts & { pairs: ChannelPair[] }
    progress: number | { piece: WrittenPiece; whole: number }
  }
}
