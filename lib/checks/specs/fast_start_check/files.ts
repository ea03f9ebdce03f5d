import { bad, good } from '../files'
import { clip } from '../video-files'

const vp9 = { codec: 'vp9', frames: 60 } as const

export const FILES = [
  good('index-first.mp4', clip({}, [], { movflags: '+faststart' })),
  good('index-first.mov', clip({}, [], { movflags: '+faststart' })),
  good('fragments.mp4', clip({}, [], { movflags: '+frag_keyframe+empty_moov' })),
  good('cues-first.webm', clip(vp9, [], { cues_to_front: '1', reserve_index_space: '4096' })),
  bad('index-last.mp4', clip()),
  bad('index-last.mov', clip({ codec: 'prores', pixels: 'yuv422p10' })),
  bad('cues-last.webm', clip(vp9)),
]
