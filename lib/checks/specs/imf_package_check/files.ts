import { imf, imfWith } from '@/fixtures/imf'
import { pack } from '../archive-files'
import { bad, good } from '../files'

export const FILES = [
  good('spot.zip', pack(imf())),
  good('later-edition.zip', pack(imf({ hash: 'sha256' }))),
  good('from-the-middle.zip', pack(imf({ intrinsic: 96, entry: 24 }))),
  good('supplemental.zip', pack(imf({ trackFile: '99999999-9999-4999-8999-999999999999' }))),
  bad('supplemental-refused.zip', pack(imf({ trackFile: '99999999-9999-4999-8999-999999999999' })), {
    thresholds: { packages: 'complete' },
  }),
  bad('asset-missing.zip', pack(imfWith(imf(), 'video.mxf', null))),
  bad('asset-changed.zip', pack(imfWith(imf(), 'audio.mxf', 'MXF of the aud1o'))),
  bad('beyond-the-essence.zip', pack(imf({ entry: 1 }))),
  bad('unequal-sequences.zip', pack(imf({ audioDuration: 98_098 }))),
  bad('another-rate.zip', pack(imf({ videoRate: '24 1' }))),
]
