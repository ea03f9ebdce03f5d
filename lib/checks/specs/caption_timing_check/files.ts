import type { Caption } from '@/fixtures/captions'
import { captionFile, dialogue, written } from '../caption-files'
import { bad, good } from '../files'

const after = (from: number, seconds: number): Caption => [from, from + seconds, 'Good night.']
const until = (seconds: number) => [...dialogue(3), after(20, seconds)]
const gap = { thresholds: { min_gap_seconds: 0.08 } }

export const FILES = [
  good('even.srt', captionFile(dialogue())),
  good('even.vtt', captionFile(dialogue())),
  good('even.ttml', captionFile(dialogue())),
  good('even.stl', captionFile(dialogue())),
  good('seven-seconds.srt', captionFile(until(7))),
  good('five-sixths.srt', captionFile(until(0.833))),
  good(
    'two-places.vtt',
    written('WEBVTT\n\n00:01.000 --> 00:03.000 line:10%\nAbove.\n\n00:02.000 --> 00:04.000 line:90%\nBelow.\n'),
  ),
  good(
    'two-at-once.srt',
    captionFile([
      [1, 3, 'Good night.'],
      [1, 3, 'Sleep well.'],
    ]),
  ),
  good(
    'touching.srt',
    captionFile([
      [1, 3, 'Good night.'],
      [3, 5, 'Sleep well.'],
    ]),
    gap,
  ),
  good(
    'gap.srt',
    captionFile([
      [1, 3, 'Good night.'],
      [3.08, 5, 'Sleep well.'],
    ]),
    gap,
  ),
  bad('brief.srt', captionFile(until(0.5))),
  bad('brief.ttml', captionFile(until(0.4))),
  bad('long.vtt', captionFile(until(7.2))),
  bad('long.stl', captionFile(until(9))),
  bad(
    'overlap.srt',
    captionFile([
      [1, 3, 'Good night.'],
      [2.5, 5, 'Sleep well.'],
    ]),
  ),
  bad(
    'overlap.stl',
    captionFile([
      [1, 3, 'Good night.'],
      [2.6, 5, 'Sleep well.'],
    ]),
  ),
  bad(
    'within.vtt',
    captionFile([
      [1, 6, 'Good night.'],
      [2, 3, 'Sleep well.'],
    ]),
  ),
  bad(
    'gap-of-a-frame.srt',
    captionFile([
      [1, 3, 'Good night.'],
      [3.04, 5, 'Sleep well.'],
    ]),
    gap,
  ),
]
