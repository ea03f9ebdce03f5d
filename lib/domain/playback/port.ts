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
   * @param hears what is done meanwhile
   */
  copy<R>(
    path: string,
    file: { mediaType: string; kind: 'video' | 'audio' },
    hears: CopyListener,
    use: (copy: CopyFacts & WrittenFile & { pairs: readonly (ChannelPair & WrittenFile)[] }) => Promise<R>,
  ): Promise<R | { failed: string }>
}

export type CopyListener = {
  progress(percent: number): void
  /**
   * Each piece of a long video, one after the other, before the copy is complete. False: no more are wanted. The rest is
   * left out, too, once this rejects, and when the copy is complete.
   */
  piece?(piece: CopyPiece): Promise<boolean>
}

/** A part of a copy that can be played by itself, after the first of them: fragmented MP4. */
export type CopyPiece = {
  number: number
  /** Seconds of the copy, and how many the whole will have by what the original states. */
  start: number
  end: number
  whole: number
  read(): Readable
}

export type WrittenFile = { size: number; read(): Readable }

/**
 * Two channels of the original, left and right of a stereo file; one on both sides where it has no other. Streams of audio are
 * counted from 1; a channel is named as its layout says (L, R, C, LFE …), else by its number.
 */
export type ChannelPair = { channels: readonly { track: number; name: string }[] }

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
  /** The waveform, 0..1, and momentary loudness in LUFS (ITU-R BS.1770-5), each of equal stretches of the time; without audio empty. */
  peaks: number[]
  loudness: number[]
  dynamicRange: CopyRange
  isDeinterlaced: boolean
}

/** `tone_mapped`: the original is HDR, its brightness was fitted into SDR; `not_mapped`: it could not be, and looks pale. */
export type CopyRange = 'sdr' | 'tone_mapped' | 'not_mapped'
