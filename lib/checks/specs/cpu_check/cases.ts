import { cpuCheck } from '../../archive/cpu-check'
import { plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const load = (mainThread: number) => ranAd({ cpu: { mainThread, process: mainThread, seconds: 5 } })

export const spec = specOf(cpuCheck, {
  good: [{ name: '30 % of the time', given: load(0.3) }],
  bad: [{ name: 'more than 30 % of the time', given: load(0.31), details: /31 % of the time/ }],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [{ name: 'blocks its page', given: ranAd({ ended: 'blocked' }) }],
})
