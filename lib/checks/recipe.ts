import type { AudioFacts, VideoFacts } from '@/lib/media/facts'

/** Commands that fix one very file. A name comes from a stranger: it is quoted so that a shell sees one word. */

// What is one literal word between double quotes both in a POSIX shell and in cmd.exe.
const PLAIN = /^[\p{L}\p{N} ._+,=@()[\]{}~#-]+$/u

/** A file name as one word of a command line. */
export function quoted(name: string): string {
  // A leading dash would be read as an option.
  const path = name.startsWith('-') ? `./${name}` : name
  if (PLAIN.test(name)) return `"${path}"`
  return `'${path.replaceAll("'", "'\\''")}'`
}

/** Where a fixed copy goes: beside the file, so that the original survives. */
function fixedName(name: string): string {
  return `fixed-${name}`
}

/** `ffmpeg -i "name" <options> "fixed-name"` */
export function ffmpeg(name: string, options: string): string {
  return `ffmpeg -i ${quoted(name)} ${options} ${quoted(fixedName(name))}`
}

const VIDEO_ENCODERS: Record<string, string> = {
  h264: 'libx264 -crf 16',
  hevc: 'libx265 -crf 18',
  vp8: 'libvpx -crf 8 -b:v 8M',
  vp9: 'libvpx-vp9 -crf 20 -b:v 0',
  av1: 'libsvtav1 -crf 20',
  prores: 'prores_ks -profile:v 3',
}

const AUDIO_ENCODERS: Record<string, string> = {
  aac: 'aac -b:a 256k',
  mp3: 'libmp3lame -b:a 320k',
  opus: 'libopus -b:a 192k',
  vorbis: 'libvorbis -q:a 7',
  flac: 'flac',
}

/** ` -c:v ...` that keeps the video in the coding it has; '' lets ffmpeg choose by the extension. */
export function sameVideoCodec(codec: string): string {
  const encoder = VIDEO_ENCODERS[codec]
  return encoder ? ` -c:v ${encoder}` : ''
}

/** ` -c:a ...` that keeps the audio in the coding it has; '' lets ffmpeg choose by the extension. */
export function sameAudioCodec(codec: string | undefined): string {
  if (codec === undefined) return ''
  if (/^pcm_\w+$/.test(codec)) return ` -c:a ${codec}`
  const encoder = AUDIO_ENCODERS[codec]
  return encoder ? ` -c:a ${encoder}` : ''
}

/**
 * A filter over the audio, written as a shell reads it (in quotes where it needs them). A video stays as it is, and the audio in
 * the coding of its stream `stream`.
 */
export function filterAudio(name: string, filter: string, media: AudioFacts | VideoFacts, stream = 0): string {
  const video = media.kind === 'video' ? ' -c:v copy' : ''
  return ffmpeg(name, `-af ${filter}${video}${sameAudioCodec(media.audio[stream]?.codec)}`)
}
