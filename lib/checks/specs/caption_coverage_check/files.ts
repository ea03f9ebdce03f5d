import { writeStl } from '@/fixtures/captions'
import { captionFile, dialogue } from '../caption-files'
import { bad, good, sharing } from '../files'

export const FILES = [
  ...sharing({ template: '{title}_{duration}.{ext}' }, [
    good('spot_15s.srt', captionFile(dialogue(5))),
    good('spot_15s.vtt', captionFile(dialogue(5))),
    good('spot_15s.stl', writeStl(dialogue(5), { programmeStart: 36_000 })),
    good('spot-to-its-end_14s.ttml', captionFile(dialogue(5, 2))),
    bad('longer_10s.srt', captionFile(dialogue(5))),
    bad('tape_15s.vtt', captionFile(dialogue(5, 36_001))),
    bad('hour_15s.ttml', captionFile(dialogue(5, 3601))),
    bad('part_60s.srt', captionFile(dialogue(5))),
  ]),
  good('spot.srt', captionFile(dialogue(20)), { thresholds: { video_seconds: 60 } }),
  bad('spot-longer.srt', captionFile(dialogue(30)), { thresholds: { video_seconds: 60 } }),
  bad('gap.srt', captionFile([...dialogue(2), ...dialogue(2, 40)]), { thresholds: { max_gap_seconds: 20 } }),
]
