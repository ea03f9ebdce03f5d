import type { Readable } from 'node:stream'

declare module '../kernel/ports' {
  interface SlowPorts {
    playback: PlaybackCopier
  }
}

/** The copy was given up because this process ends; another will make it. */
export class CopyStopped extends Error {
  override readonly name = 'CopyStopped'
}

/** Writes copies of files on the local disk that browsers play. */
export interface PlaybackCopier {
  /**
   * Makes the copy, and gives it to `use`; it is gone once that settles. `failed`: a sentence for people why there is none.
   * Never rejects but by what `use` throws, and with CopyStopped.
   *
   * @param onProgress hears how much is done, per cent
   */
  copy<R>(
    path: string,
    file: { mediaType: string; kind: 'video' | 'audio' },
    onProgress: (percent: number) => void,
    use: (copy: CopyFacts & { size: number; read(): Readable }) => Promise<R>,
  ): Promise<R | { failed: string }>
}

export type CopyFacts = {
  /** What it is coded as: `h264`, `aac`. */
  codec: string
  /** Of video; pixels, frames per second. */
  width: number | null
  height: number | null
  frameRate: number | null
  frames: number | null
  durationSeconds: number
  hasAudio: boolean
  dynamicRange: CopyRange
  isDeinterlaced: boolean
}

/** `tone_mapped`: the original is HDR, its brightness was fitted into SDR; `not_mapped`: it could not be, and looks pale. */
export type CopyRange = 'sdr' | 'tone_mapped' | 'not_mapped'
