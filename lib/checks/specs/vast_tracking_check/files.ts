import { writeVast } from '@/fixtures/vast'
import { bad, good } from '../files'

const click = { thresholds: { click_through: true } }

export const FILES = [
  good('all.xml', writeVast()),
  good(
    'more.xml',
    writeVast({ events: ['loaded', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'mute'] }),
  ),
  good('old.xml', writeVast({ version: '2.0' })),
  good('click.xml', writeVast(), click),
  bad('no-midpoint.xml', writeVast({ events: ['start', 'firstQuartile', 'thirdQuartile', 'complete'] })),
  bad('none.xml', writeVast({ events: [] })),
  bad('other-spelling.xml', writeVast({ events: ['start', 'FirstQuartile', 'midpoint', 'thirdQuartile', 'complete'] })),
  bad(
    'empty-address.xml',
    writeVast({}, (text) => text.replace(/(<Tracking event="complete">).*?(<\/Tracking>)/, '$1$2')),
  ),
  bad('no-click.xml', writeVast({ clickThrough: '' }), click),
]
