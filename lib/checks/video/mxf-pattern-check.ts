import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg } from '../recipe'

const PATTERNS = ['OP1a', 'OP1b', 'OP1c', 'OP2a', 'OP2b', 'OP2c', 'OP3a', 'OP3b', 'OP3c', 'OP-Atom'] as const

export const mxfPatternCheck = mediaCheck({
  id: 'mxf_pattern_check',
  label: 'MXF operational pattern',
  kinds: ['video'],
  describe:
    'The operational pattern that the partitions of an MXF file state is one of those wanted. OP1a is one programme with its video and audio interleaved, which broadcasters ask for; OP-Atom holds one track alone, for editing; the others hold playlists or several versions. What the packages of the file hold is not compared with it.',
  severity: 'advisory',
  thresholds: z.strictObject({
    patterns: z.array(z.enum(PATTERNS)).min(1).default(['OP1a']).meta({
      title: 'Patterns that are taken',
      source: 'SMPTE ST 378 (OP1a), which AMWA AS-11 and SMPTE RDD 9 (XDCAM) build on',
    }),
  }),
  notFor: (media) => (media.container === 'mxf' ? null : 'Only an MXF file has an operational pattern.'),
  run({ media, name }, { patterns }) {
    const found = media.operationalPattern
    if (found === undefined) return skip('The operational pattern was not read when this file was measured.')
    const extras = {
      measured: found ?? 'none',
      expected: patterns.join(', '),
      standard: 'SMPTE ST 377-1, operational patterns',
    }
    if (found !== null && (patterns as readonly string[]).includes(found))
      return pass(`The file states ${found}.`, extras)
    return fail(
      `The file states ${found ?? 'no operational pattern that is known'}; ${patterns.join(' or ')} is wanted.`,
      {
        ...extras,
        fix: patterns.includes('OP1a')
          ? ffmpeg(name, '-map 0 -c copy -f mxf')
          : `Export “${name}” again as ${patterns.join(' or ')}.`,
      },
    )
  },
})
