import { video } from '../../testing'
import { mxfPatternCheck } from '../../video/mxf-pattern-check'
import { specOf } from '../spec'

const mxf = (operationalPattern: string | null) => video({ container: 'mxf', operationalPattern })
const alone = { thresholds: { patterns: ['OP-Atom'] } }

export const spec = specOf(mxfPatternCheck, {
  good: [
    { name: 'one programme', given: mxf('OP1a'), details: 'The file states OP1a.' },
    { name: 'a track alone, where that is wanted', given: mxf('OP-Atom'), ...alone },
    {
      name: 'one of several that are taken',
      given: mxf('OP2a'),
      thresholds: { patterns: ['OP1a', 'OP2a'] },
    },
  ],
  bad: [
    {
      name: 'a track alone',
      given: mxf('OP-Atom'),
      details: 'The file states OP-Atom; OP1a is wanted.',
      fix: /-c copy -f mxf/,
    },
    { name: 'several versions', given: mxf('OP1c'), details: /OP1c/ },
    { name: 'a pattern that is none', given: mxf(null), details: /no operational pattern that is known/ },
    { name: 'one programme where a track alone is wanted', given: mxf('OP1a'), ...alone },
  ],
  skipped: [
    { name: 'an MP4 file', given: video(), details: /Only an MXF file/ },
    { name: 'a file that was measured before', given: video({ container: 'mxf' }), details: /was not read/ },
  ],
})
