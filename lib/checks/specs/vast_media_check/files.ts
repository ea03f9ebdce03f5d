import { writeVast } from '@/fixtures/vast'
import { bad, good } from '../files'

const limits = { thresholds: { min_kbps: 1500, max_kbps: 5000 } }
const rates = (...bitrates: number[]) => writeVast({ files: bitrates.map((bitrate) => ({ bitrate })) })

export const FILES = [
  good('one.xml', writeVast()),
  good('three.xml', rates(1500, 2500, 5000), { thresholds: { min_kbps: 1500, max_kbps: 5000, min_files: 3 } }),
  good('mp4-beside-hls.xml', writeVast({ files: [{ type: 'application/x-mpegURL' }, {}] })),
  good('audio.xml', writeVast({ version: '4.1', files: [{ type: 'audio/mpeg', bitrate: 128 }] })),
  bad('hls-only.xml', writeVast({ files: [{ type: 'application/x-mpegURL' }] })),
  bad(
    'script-only.xml',
    writeVast({ version: '3.0', files: [{ type: 'application/javascript', more: ' apiFramework="VPAID"' }] }),
  ),
  bad('too-low.xml', rates(2500, 800), limits),
  bad('too-high.xml', rates(5001), limits),
  bad('two-of-three.xml', rates(1500, 2500), { thresholds: { min_files: 3 } }),
]
