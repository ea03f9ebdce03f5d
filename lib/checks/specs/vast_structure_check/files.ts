import { writeFileSync } from 'node:fs'
import { vastWrapper, writeVast } from '@/fixtures/vast'
import { bad, good } from '../files'

const without = (element: string) => (text: string) =>
  text.replace(new RegExp(`<${element}[ >].*?</${element}>`, 's'), '')
const written = (text: string) => (file: string) => writeFileSync(file, text)

export const FILES = [
  ...['2.0', '3.0', '4.0', '4.1', '4.2', '4.3'].map((version) => good(`tag-${version}.xml`, writeVast({ version }))),
  good('wrapper.xml', written(vastWrapper())),
  good('wrapper-2.vast', written(vastWrapper('2.0'))),
  good('long.xml', writeVast({ duration: '00:01:30.250' })),
  good(
    'prefixed.xml',
    writeVast({}, (text) => text.replace('xmlns=', 'xmlns:v=').replaceAll(/<(\/?)(?=[A-Z])(?!!)/g, '<$1v:')),
  ),
  bad('no-impression.xml', writeVast({ impression: '' })),
  bad('empty-impression.xml', writeVast({ impression: '<Impression> </Impression>' })),
  bad('no-title.xml', writeVast({ version: '3.0' }, without('AdTitle'))),
  bad('no-serving-id.xml', writeVast({}, without('AdServingId'))),
  bad('no-universal-id.xml', writeVast({ universalAdId: '' })),
  bad('seconds.xml', writeVast({ duration: '15' })),
  bad('no-media-files.xml', writeVast({}, without('MediaFiles'))),
  bad('no-ad.xml', written('<VAST version="3.0"/>')),
  bad('wrapper-to-nowhere.xml', written(vastWrapper('3.0', ''))),
  bad('old-version.xml', writeVast({ version: '2.0' }), { thresholds: { versions: ['4.1', '4.2'] } }),
]
