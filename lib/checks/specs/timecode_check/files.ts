import { bad, good } from '../files'
import { clip } from '../video-files'

const from = (timecode: string, rate: readonly [number, number] = [25, 1]) =>
  clip({ frames: 12, rate, metadata: { timecode } })
const NTSC = [30_000, 1001] as const
const start = (start: string) => ({ thresholds: { start } })

export const FILES = [
  good('ten-hours.mov', from('10:00:00:00'), start('10:00:00:00')),
  good('ten-hours.mp4', from('10:00:00:00'), start('10:00:00:00')),
  good('one-hour.mov', from('01:00:00;00', NTSC), { thresholds: { start: '01:00:00;00', drop_frame: 'drop' } }),
  good('not-dropped.mov', from('01:00:00:00', NTSC), { thresholds: { drop_frame: 'non_drop' } }),
  good('somewhere.mov', from('09:59:57:12'), { thresholds: { required: true } }),
  bad('nought.mov', from('00:00:00:00'), start('10:00:00:00')),
  bad('a-frame-early.mp4', from('09:59:59:24'), start('10:00:00:00')),
  bad('none.mp4', clip({ frames: 12 }), { thresholds: { required: true } }),
  bad('none.mov', clip({ frames: 12 }), start('10:00:00:00')),
  bad('dropped.mov', from('01:00:00;00', NTSC), { thresholds: { drop_frame: 'non_drop' } }),
]
