import { writeFileSync } from 'node:fs'
import { type Caption, imsc, writeCaptions, writeImsc, writeStl } from '@/fixtures/captions'

/** Files of captions for the specs: a dialogue of `count` captions, two seconds each and half a second apart. */

const WORDS = [
  'Good morning.',
  'Where have you been?',
  'I was at the station\nall night long.',
  'And the train?',
  'It never came.',
]

export const dialogue = (count = 5, from = 1): Caption[] =>
  Array.from({ length: count }, (_, at) => [from + at * 2.5, from + at * 2.5 + 2, WORDS[at % WORDS.length] as string])

/** By the extension: SRT and WebVTT by FFmpeg, TTML and EBU STL. */
export const captionFile = (captions: readonly Caption[]) => (file: string) => {
  if (file.endsWith('.stl')) writeStl(captions)(file)
  else if (file.endsWith('.ttml')) writeImsc(captions.map(([start, end, text]) => [`${start}s`, `${end}s`, text]))(file)
  else writeCaptions(file, captions)
}

/** The same, with something changed in its text. */
export const edited = (captions: readonly Caption[], change: (text: string) => string | Buffer) => (file: string) => {
  writeFileSync(file, change(textOf(captions, file)))
}

export const written = (text: string | Buffer) => (file: string) => writeFileSync(file, text)

function textOf(captions: readonly Caption[], file: string): string {
  if (file.endsWith('.ttml')) return imsc(captions.map(([start, end, text]) => [`${start}s`, `${end}s`, text]))
  const two = (value: number) => String(value).padStart(2, '0')
  const time = (seconds: number, mark: string) =>
    `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}${mark}${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`
  const isSrt = file.endsWith('.srt')
  const mark = isSrt ? ',' : '.'
  const cues = captions.map(
    ([start, end, text], at) => `${isSrt ? `${at + 1}\n` : ''}${time(start, mark)} --> ${time(end, mark)}\n${text}\n`,
  )
  return `${isSrt ? '' : 'WEBVTT\n\n'}${cues.join('\n')}`
}
