import { IMF_IDS, imf, imfWith } from '@/fixtures/imf'
import { audioTrackFile, videoTrackFile } from '@/fixtures/mxf'
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
  bad('asset-changed.zip', pack(imfWith(imf(), 'audio.mxf', audioTrackFile({ id: IMF_IDS.video, samples: 96_096 })))),
  bad('beyond-the-essence.zip', pack(imf({ entry: 1 }))),
  bad('unequal-sequences.zip', pack(imf({ audioDuration: 98_098 }))),
  bad('a-frame-too-few.zip', pack(imf({}, { video: videoTrackFile(IMF_IDS.video, 47) }))),
  bad(
    'audio-shorter-than-its-header.zip',
    pack(imf({}, { audio: audioTrackFile({ id: IMF_IDS.audio, samples: 96_000, stated: 96_096 }) })),
  ),
  bad('essence-of-another-rate.zip', pack(imf({}, { video: videoTrackFile(IMF_IDS.video, 48, [25, 1]) }))),
  bad('audio-as-video.zip', pack(imf({ trackFile: IMF_IDS.audio }))),
  bad('another-id.zip', pack(imf({}, { video: videoTrackFile(IMF_IDS.list, 48) }))),
  bad('cut-off.zip', pack(imf({}, { video: videoTrackFile(IMF_IDS.video, 48).subarray(0, 200_000) }))),
  bad('another-rate.zip', pack(imf({ videoRate: '24 1' }))),
]
