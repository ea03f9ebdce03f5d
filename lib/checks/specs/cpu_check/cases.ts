import { cpuCheck } from '../../archive/cpu-check'
import { plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const load = (mainThread: number) => ranAd({ cpu: { mainThread, process: mainThread, seconds: 5 } })

export const spec = specOf(cpuCheck, {
  good: [
    { name: '30 % of the time', given: load(0.3), confidence: 0.5 },
    { name: 'half of what is allowed', given: load(0.15), confidence: 0.84 },
    { name: 'hardly anything', given: load(0.02), confidence: 0.99 },
    { name: 'nothing', given: load(0), confidence: 0.99 },
  ],
  bad: [
    { name: 'more than 30 % of the time', given: load(0.31), details: /31 % of the time/, confidence: 0.52 },
    { name: 'twice what is allowed', given: load(0.6), confidence: 0.84 },
    { name: 'all of the time', given: load(1), confidence: 0.96 },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [{ name: 'blocks its page', given: ranAd({ ended: 'blocked' }) }],
})
