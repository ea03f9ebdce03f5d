/** Which files browsers play as they are. Pure: the review room asks the same table. */

type Playable = {
  mediaType: string
  /** FFmpeg's names; undefined where it was not measured. */
  codec?: string | undefined
  pixelFormat?: string | undefined
  /** Of each stream of audio. */
  audioCodecs: readonly (string | undefined)[]
}

const MP4_AUDIO = ['aac', 'mp3', 'opus', 'flac']

/** Codings by container that Chrome, Edge, Firefox and Safari of the last two years play. */
const VIDEO: Readonly<Record<string, { video: readonly string[]; audio: readonly string[] }>> = {
  'video/mp4': { video: ['h264', 'vp9', 'av1'], audio: MP4_AUDIO },
  'video/quicktime': { video: ['h264'], audio: ['aac', 'mp3'] },
  'video/webm': { video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
}
/** H.264 is played with 8 bits in 4:2:0 only. */
const H264_PIXELS = ['yuv420p', 'yuvj420p']

const AUDIO: Readonly<Record<string, readonly string[]>> = {
  'audio/mpeg': ['mp3'],
  'audio/aac': ['aac'],
  'audio/flac': ['flac'],
  'audio/mp4': MP4_AUDIO,
  'audio/ogg': ['opus', 'vorbis', 'flac'],
  'audio/wav': ['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_alaw', 'pcm_mulaw'],
}

/** Whether browsers need a copy of the file to play it. What was not measured is taken for what they know. */
function needsCopy({ mediaType, codec, pixelFormat, audioCodecs }: Playable): boolean {
  const knows = (known: readonly string[], found: string | undefined) => found === undefined || known.includes(found)
  if (mediaType.startsWith('video/')) {
    const known = VIDEO[mediaType]
    if (!known) return true
    if (!knows(known.video, codec) || (codec === 'h264' && !knows(H264_PIXELS, pixelFormat))) return true
    // A player takes the first stream, and leaves out what it does not know without a word.
    return !knows(known.audio, audioCodecs[0])
  }
  if (mediaType.startsWith('audio/')) {
    const known = AUDIO[mediaType]
    return !known || !knows(known, audioCodecs[0])
  }
  // No browser knows it.
  return mediaType === 'application/mxf'
}

type StreamOfAudio = { codec?: unknown; channels?: unknown }

const audioOf = (media: Record<string, unknown>) =>
  Array.isArray(media.audio) ? (media.audio as readonly StreamOfAudio[]) : []

/** The same of a file as the interface shows it, or as its row holds it: names are written in either way. */
export function needsPlaybackCopy(mediaType: string, media: Record<string, unknown>): boolean {
  const word = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const audio = audioOf(media)
  return needsCopy({
    mediaType,
    codec: word(media.codec),
    pixelFormat: word(media.pixelFormat ?? media.pixel_format),
    audioCodecs: audio.map(({ codec }) => word(codec)),
  })
}

/** Decoded audio is large: a browser draws the waveform of what it can fetch whole. */
export const READ_BY_BROWSER_BYTES = 150_000_000

/**
 * What is made of a file: a copy where browsers do not play it; of its audio alone where they do, but give no choice of its
 * channels, or would have to fetch too much to draw its waveform.
 */
export function copyWanted(
  mediaType: string,
  media: Record<string, unknown>,
  size: number,
): 'playback' | 'audio' | null {
  if (needsPlaybackCopy(mediaType, media)) return 'playback'
  if (!/^(audio|video)\//.test(mediaType)) return null
  const audio = audioOf(media)
  const channels = audio.reduce((sum, stream) => sum + (typeof stream.channels === 'number' ? stream.channels : 0), 0)
  return channels > 2 || (audio.length > 0 && size > READ_BY_BROWSER_BYTES) ? 'audio' : null
}
