import { captionFile, dialogue, edited } from '../caption-files'
import { bad, good } from '../files'

/** One caption of so many characters, of words of four letters, for so many seconds. */
const said = (characters: number, seconds: number) =>
  captionFile([...dialogue(2), [10, 10 + seconds, 'word '.repeat(20).slice(0, characters)]])

export const FILES = [
  good('slow.srt', captionFile(dialogue())),
  good('slow.stl', captionFile(dialogue())),
  good('twenty.srt', said(39, 2)),
  good(
    'marked.vtt',
    edited([[1, 2, '<c.yellow><i>Good night, all</i></c>']], (text) => text),
  ),
  good('accents.ttml', captionFile([[1, 2, 'e\u0301'.repeat(19)]])),
  good('words.srt', said(39, 3), { thresholds: { max_words_per_minute: 180 } }),
  bad('fast.srt', said(49, 2)),
  bad('fast.vtt', said(44, 2)),
  bad('fast.ttml', said(29, 1)),
  bad('fast.stl', said(29, 1)),
  bad('children.srt', said(39, 2), { thresholds: { max_characters_per_second: 17 } }),
  bad('many-words.srt', captionFile([[1, 2, 'I go to it.']]), { thresholds: { max_words_per_minute: 180 } }),
]
