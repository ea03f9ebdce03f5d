import { writeImsc, writeStl } from '@/fixtures/captions'
import { captionFile, dialogue, edited, written } from '../caption-files'
import { bad, good } from '../files'

const spoken = dialogue()
const profiles = { thresholds: { profiles: ['IMSC 1.1 Text'] } }

export const FILES = [
  good('by-ffmpeg.srt', captionFile(spoken)),
  good('by-ffmpeg.vtt', captionFile(spoken)),
  good('imsc.ttml', captionFile(spoken), profiles),
  good('television.stl', captionFile(spoken)),
  good(
    'marked.srt',
    edited(spoken, (text) => `\ufeff${text.replace('Good', '<i>Good</i>').replaceAll('\n', '\r\n')}`),
  ),
  good(
    'no-last-line.srt',
    edited(spoken, (text) => text.trimEnd()),
  ),
  good(
    'styled.vtt',
    edited(spoken, (text) =>
      text
        .replace('WEBVTT\n', 'WEBVTT - a title\n\nNOTE made by hand\nin two lines\n\nSTYLE\n::cue { color: yellow }\n')
        .replace('00:00:01.000 --> 00:00:03.000', 'first\n00:01.000 --> 00:03.000 line:10% align:start'),
    ),
  ),
  good('frames.ttml', writeImsc([['00:00:01:00', '00:00:03:24', 'Good morning.']], 'ttp:frameRate="25"')),
  good('ten-hours.stl', writeStl(spoken, { programmeStart: 36_000 })),
  bad(
    'number-twice.srt',
    edited(spoken, (text) => text.replace('\n3\n', '\n2\n')),
  ),
  bad(
    'dots.srt',
    edited(spoken, (text) => text.replaceAll(/(\d\d),(\d{3})/g, '$1.$2')),
  ),
  bad(
    'no-text.srt',
    edited(spoken, (text) => text.replace('And the train?', '')),
  ),
  bad(
    'turned-round.srt',
    edited([...spoken.slice(0, 2), [9, 8, 'Good bye.']], (text) => text),
  ),
  bad(
    'latin.srt',
    edited([[1, 3, 'Où étais-tu ?']], (text) => Buffer.from(text, 'latin1')),
  ),
  bad(
    'cut.srt',
    edited(spoken, (text) => text.slice(0, text.lastIndexOf('-->') + 12)),
  ),
  bad(
    'comma.vtt',
    edited(spoken, (text) => text.replace('00:00:06.000 -->', '00:00:06,000 -->')),
  ),
  bad(
    'out-of-order.vtt',
    edited([...spoken.slice(2), ...spoken.slice(0, 2)], (text) => text),
  ),
  bad(
    'line-missing.vtt',
    edited(spoken, (text) => text.replace('been?\n\n', 'been?\n')),
  ),
  bad(
    'unknown-setting.vtt',
    edited(spoken, (text) => text.replace(' --> 00:00:03.000', ' --> 00:00:03.000 middle')),
  ),
  bad('empty.vtt', written('WEBVTT\n\n')),
  bad('no-time.ttml', writeImsc([['one second', '3s', 'Good morning.']])),
  bad('frame-30.ttml', writeImsc([['00:00:01:30', '00:00:03:24', 'Good morning.']], 'ttp:frameRate="25"')),
  bad(
    'other-profile.ttml',
    writeImsc([['1s', '3s', 'Good morning.']], 'ttp:profile="urn:ebu:tt:distribution:2014-01"'),
    profiles,
  ),
  bad('count.stl', writeStl(spoken, { stated: 7 })),
]
