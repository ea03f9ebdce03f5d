import { readFileSync, writeFileSync } from 'node:fs'
import { bad, good } from '../files'
import { clip } from '../video-files'

const timecoded = clip({ frames: 12, metadata: { timecode: '10:00:00:00' } }, [{ seconds: 0.48 }])

/** The track of timecode is described as data of a camera: by the four letters of its sample description. */
const holding = (letters: string) => (file: string) => {
  timecoded(file)
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('stsd', 0, 'latin1'); at >= 0; at = bytes.indexOf('stsd', at + 4, 'latin1'))
    if (bytes.toString('latin1', at + 16, at + 20) === 'tmcd') bytes.write(letters, at + 16, 'latin1')
  writeFileSync(file, bytes)
}
const forbidden = { thresholds: { data: 'forbidden' } }

export const FILES = [
  good('plain.mp4', clip({ frames: 12 }, [{ seconds: 0.48 }]), forbidden),
  good('silent.webm', clip({ codec: 'vp9', frames: 12 }), forbidden),
  good('timecode.mov', timecoded, forbidden),
  good(
    'programme.mxf',
    clip({ codec: 'prores', pixels: 'yuv422p10', frames: 12, metadata: { timecode: '10:00:00:00' } }),
    forbidden,
  ),
  good('camera.mov', holding('gpmd')),
  good('camera-taken.mov', holding('rtmd'), { thresholds: { data: 'forbidden', allowed: ['rtmd'] } }),
  bad('positions.mov', holding('gpmd'), forbidden),
  bad('motion.mov', holding('camm'), forbidden),
  bad('camera-other.mov', holding('gpmd'), { thresholds: { data: 'forbidden', allowed: ['rtmd'] } }),
]
