import { z } from 'zod'
import { fail, mediaCheck, type Occurrence, pass, skip } from '../check'
import { ffmpeg } from '../recipe'
import { allOf, clock, decimal, seconds } from '../wording'

const rule = (title: string, usual: 'any' | 'forbidden', source: string) =>
  z.enum(['any', 'forbidden', 'required']).default(usual).meta({ title, source })

export const leaderCheck = mediaCheck({
  id: 'leader_check',
  label: 'Colour bars and line-up tone',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'Colour bars, as seven upright stripes from white to blue (EBU, SMPTE, ARIB, ITU-R BT.2111), looked for once a second; and line-up tone, a steady sine between 100 and 2,300 Hz for a second and more in the first channel of a track. Masters for tape begin with them; what is aired as it is does not. Slates and countdowns are not recognised.',
  severity: 'advisory',
  confidence: 'Bars: 0.95. Tone: 0.85, as a synthesiser may hold a sine as well. A pass: 0.9.',
  thresholds: z.strictObject({
    bars: rule(
      'Colour bars are',
      'forbidden',
      'Reasoned: what is aired or shown as it is has none; masters for tape begin with them (EBU R 82)',
    ),
    tone: rule(
      'Line-up tone is',
      'any',
      'Reasoned: either unless set, as music may hold a tone; with bars it is usually there',
    ),
  }),
  run({ name, measures: { video, audio } }, { bars, tone }) {
    const { testBars } = video
    if (testBars === undefined) return skip('Colour bars were not looked for when the video was measured.')
    if (bars === 'any' && tone === 'any')
      return skip('Whether bars or tone are there is not set for this media category.')
    const tones = (audio?.tracks ?? []).flatMap(({ tones = [] }, stream) => tones.map((each) => ({ ...each, stream })))
    const [firstBars] = testBars
    const [firstTone] = tones
    const has = [
      firstBars
        ? `colour bars from ${clock(firstBars.start)} for about ${seconds(firstBars.end - firstBars.start)}`
        : 'no colour bars',
      firstTone
        ? `a tone of ${firstTone.hertz} Hz at ${decimal(firstTone.levelDb, 1)} dBFS from ${clock(firstTone.start)} to ${clock(firstTone.end)}`
        : 'no line-up tone',
    ]
    const wrongBars = (bars === 'forbidden' && firstBars) || (bars === 'required' && !firstBars)
    const wrongTone = (tone === 'forbidden' && firstTone) || (tone === 'required' && !firstTone)
    const wanted = [
      ...(bars === 'any' ? [] : [bars === 'forbidden' ? 'no bars' : 'bars']),
      ...(tone === 'any' ? [] : [tone === 'forbidden' ? 'no tone' : 'a tone']),
    ]
    const details = `The video has ${allOf(has)}; ${allOf(wanted)} ${wanted.length === 1 && wanted[0] !== 'bars' && wanted[0] !== 'no bars' ? 'is' : 'are'} wanted.`
    const extras = { measured: testBars.length, expected: allOf(wanted), unit: 'stretches of bars' }
    if (!wrongBars && !wrongTone) return pass(details, { ...extras, confidence: 0.9 })
    const occurrences: Occurrence[] = [
      ...(bars === 'forbidden' ? testBars : []),
      ...(tone === 'forbidden' ? tones.map(({ start, end, stream }) => ({ start, end, stream })) : []),
    ].slice(0, 20)
    const end = Math.max(0, ...occurrences.map(({ end = 0 }) => end))
    return fail(details, {
      ...extras,
      confidence: wrongBars ? 0.95 : 0.85,
      ...(occurrences.length > 0 && { occurrences }),
      fix:
        occurrences.length > 0
          ? ffmpeg(name, `-ss ${decimal(end, 3)} -map 0 -c copy`)
          : `Export “${name}” with its leader: ${allOf(wanted)}.`,
    })
  },
})
