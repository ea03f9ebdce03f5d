import { captionFile, dialogue, written } from '../caption-files'
import { bad, good } from '../files'

const lines = (...lines: string[]) => captionFile([...dialogue(2), [10, 16, lines.join('\n')]])
const wide = (characters: number) =>
  'abcd '
    .repeat(20)
    .slice(0, characters - 1)
    .concat('x')

export const FILES = [
  good('short.srt', captionFile(dialogue())),
  good('forty-two.vtt', lines(wide(42), wide(40))),
  good('forty-two.ttml', lines(wide(42))),
  good('marked.srt', lines(`<font color="#ffff00">${wide(40)}</font>`)),
  good('teletext.stl', lines(wide(37)), { thresholds: { max_characters: 37 } }),
  good('three-allowed.srt', lines('One', 'two', 'three'), { thresholds: { max_lines: 3 } }),
  bad('forty-three.srt', lines(wide(43))),
  bad('forty-three.vtt', lines('Short', wide(43))),
  bad('long.ttml', lines(wide(60))),
  bad('too-long.stl', lines(wide(38)), { thresholds: { max_characters: 37 } }),
  bad('three.srt', lines('One', 'two', 'three')),
  bad('three.ttml', lines('One', 'two', 'three')),
  bad('two-and-one.vtt', written('WEBVTT\n\n00:01.000 --> 00:03.000\nOne\ntwo\n\n00:01.000 --> 00:03.000\nthree\n')),
]
