import { coded, tone, wav } from '../audio-files'
import { bad, good, sharing } from '../files'
import { clip } from '../video-files'

const rate = (hertz: number) => wav(1, tone, { rate: hertz })

export const FILES = sharing({ thresholds: { rates_hz: [48_000] } }, [
  good('48000.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }])),
  bad('44100.mp4', clip({ frames: 12 }, [{ seconds: 0.5, rate: 44_100 }])),
  bad('second.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }, { seconds: 0.5, rate: 44_100 }])),
  good('48000.wav', rate(48_000)),
  good('48000.m4a', coded({ seconds: 1 })),
  good('48000.mp3', coded({ codec: 'mp3', seconds: 1 })),
  bad('44100.wav', rate(44_100)),
  bad('47999.wav', rate(47_999)),
  bad('96000.wav', rate(96_000)),
  bad('44100.mp3', coded({ codec: 'mp3', seconds: 1, rate: 44_100 })),
])
