import { coded, tone, wav } from '../audio-files'
import { bad, good } from '../files'
import { clip } from '../video-files'

// Two bytes a pixel: 64 × 48 × 16 × 25 = 1,228,800 bits a second.
const raw = clip({ codec: 'raw', width: 64, height: 48 })

export const FILES = [
  good('raw-least.mov', raw, { thresholds: { min_kbps: 1228 } }),
  good('raw-most.mov', raw, { thresholds: { max_kbps: 1229 } }),
  bad('raw-too-low.mov', raw, { thresholds: { min_kbps: 1230 } }),
  bad('raw-too-high.mov', raw, { thresholds: { max_kbps: 1228 } }),
  // 48,000 samples of 16 bits on two channels are 1,536 kbit/s.
  good('pcm.wav', wav(4, tone), { thresholds: { min_kbps: 1530, max_kbps: 1540 } }),
  good('coded.mp3', coded({ codec: 'mp3', seconds: 4 }), { thresholds: { min_kbps: 120, max_kbps: 140 } }),
  bad('pcm-low.wav', wav(4, tone), { thresholds: { min_kbps: 1540 } }),
  bad('pcm-high.wav', wav(4, tone), { thresholds: { max_kbps: 1530 } }),
  bad('coded-low.mp3', coded({ codec: 'mp3', seconds: 4 }), { thresholds: { min_kbps: 140 } }),
]
