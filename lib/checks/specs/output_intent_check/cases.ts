import { outputIntentCheck } from '../../document/output-intent-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const coated = { conditions: ['FOGRA39', 'FOGRA51'] }
const intent = (outputIntent: string | null) => document({ outputIntent })

export const spec = specOf(outputIntentCheck, {
  good: [
    { name: 'a wanted condition', given: intent('FOGRA51'), thresholds: coated, details: /“FOGRA51”, as wanted/ },
    { name: 'named with its profile', given: intent('PSO Coated v3 (FOGRA51)'), thresholds: coated },
    { name: 'in other letters', given: intent('fogra39'), thresholds: coated },
    { name: 'any, where one is required', given: intent('CGATS TR 006'), thresholds: { required: true } },
  ],
  bad: [
    {
      name: 'another condition',
      given: intent('FOGRA52'),
      thresholds: coated,
      details: /“FOGRA52”; FOGRA39 or FOGRA51 is wanted/,
      fix: /output intent FOGRA39/,
    },
    { name: 'a name that only begins so', given: intent('FOGRA510'), thresholds: coated },
    { name: 'none', given: intent(null), thresholds: coated, details: /has no output intent; FOGRA39/ },
    { name: 'none where one is required', given: intent(null), thresholds: { required: true } },
  ],
  skipped: [{ name: 'nothing is set', given: intent('FOGRA51') }],
})
