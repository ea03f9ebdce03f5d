import { writeVast } from '@/fixtures/vast'
import { coded, tone, wav } from '../audio-files'
import { bad, good, sharing } from '../files'
import { clip } from '../video-files'

const spot = { template: '{title}_{duration}.{ext}', thresholds: {} }

export const FILES = [
  ...sharing({ thresholds: { lengths_seconds: [15, 30] } }, [
    good('fifteen.xml', writeVast()),
    good('thirty-of-40.xml', writeVast({ version: '4.0', duration: '00:00:30.040' })),
    good('tag_20s.xml', writeVast({ duration: '00:00:20' }), { ...spot, thresholds: {} }),
    bad('twenty.xml', writeVast({ duration: '00:00:20' })),
    bad('minutes.xml', writeVast({ version: '3.0', duration: '00:15:00' })),
    bad('tag_15s.xml', writeVast({ duration: '00:00:20' }), spot),
  ]),
  ...sharing({ thresholds: { lengths_seconds: [2] } }, [
    good('50-frames.mp4', clip({ frames: 50 })),
    good('51-frames.mp4', clip({ frames: 51 })),
    good('49-frames.mp4', clip({ frames: 49 })),
    good('audio-longer.mp4', clip({ frames: 50 }, [{ seconds: 2.4 }])),
    good('spot_2s.mp4', clip({ frames: 60 }), spot),
    bad('52-frames.mp4', clip({ frames: 52 })),
    bad('48-frames.mp4', clip({ frames: 48 })),
    bad('spot-long_2s.mp4', clip({ frames: 63 }), spot),
  ]),
  ...sharing({ thresholds: { lengths_seconds: [3] } }, [
    good('exact.wav', wav(3, tone)),
    good('padded.wav', wav(3.045, tone)),
    good('padded.mp3', coded({ codec: 'mp3', seconds: 3 })),
    good('spot_3s.wav', wav(3.4, tone), spot),
    bad('long.wav', wav(3.06, tone)),
    bad('short.wav', wav(2.94, tone)),
    bad('spot-long_3s.wav', wav(3.6, tone), spot),
  ]),
]
