import { coded, tone, wav } from '../audio-files'
import { bad, good, sharing } from '../files'
import { clip } from '../video-files'

export const FILES = sharing({ thresholds: { layouts: ['stereo'] } }, [
  good('stereo.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }])),
  bad('mono.mp4', clip({ frames: 12 }, [{ seconds: 0.5, channels: 1 }])),
  good('stereo.wav', wav(1, tone)),
  good('stereo.m4a', coded({ seconds: 1 })),
  good('stereo.mp3', coded({ codec: 'mp3', seconds: 1 })),
  good('surround.wav', wav(1, tone, { channels: 6, mask: 0x3f }), { thresholds: { layouts: ['5.1'] } }),
  good('surround-side.wav', wav(1, tone, { channels: 6, mask: 0x60f }), { thresholds: { layouts: ['5.1'] } }),
  bad('mono.wav', wav(1, tone, { channels: 1 })),
  bad('mono.m4a', coded({ seconds: 1, channels: 1 })),
  bad('six.wav', wav(1, tone, { channels: 6, mask: 0x3f })),
  bad('four.wav', wav(1, tone, { channels: 4, mask: 0x33 }), { thresholds: { layouts: ['5.1'] } }),
])
