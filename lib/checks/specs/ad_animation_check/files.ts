import { ad, moving } from '../ad-files'
import { bad, good, sharing } from '../files'

const rounds = { thresholds: { max_seconds: 5, max_rounds: 3 } }

export const FILES = sharing({ runs: true, thresholds: { max_seconds: 3 } }, [
  good('still.zip', ad()),
  good('one-second.zip', moving('m 1s 1 forwards')),
  good('two-seconds.zip', moving('m 2s 1 forwards')),
  good('three-rounds.zip', moving('m 0.6s 3 forwards'), rounds),
  bad('five-seconds.zip', moving('m 5s linear 1 forwards')),
  bad('endless.zip', moving('m 1s infinite')),
  bad(
    'by-script.zip',
    ad({
      body: '<div id="b"></div>',
      script: 'let x = 0; setInterval(() => { x = (x + 7) % 240; b.style.left = x + "px" }, 40);',
    }),
  ),
  bad('four-rounds.zip', moving('m 0.6s 4 forwards'), rounds),
])
