import { ad, moving } from '../ad-files'
import { bad, good, sharing } from '../files'

// Works for a share of every twentieth of a second, for four seconds, while something moves.
const busy = (share: number) =>
  ad({
    body: '<div id="b"></div>',
    script: `const until = performance.now() + 4000; let x = 0; const work = () => { const end = performance.now() + ${50 * share}; while (performance.now() < end); x = (x + 9) % 240; b.style.left = x + "px"; if (performance.now() < until) setTimeout(work, ${50 * (1 - share)}) }; work();`,
  })

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('css.zip', moving('m 3s 1 forwards')),
  good('a-tenth.zip', busy(0.1)),
  bad('half.zip', busy(0.55)),
  bad('most.zip', busy(0.7)),
  bad('nearly-all.zip', busy(0.9)),
])
