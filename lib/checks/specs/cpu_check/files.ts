import { ad, moving } from '../ad-files'
import { bad, good, sharing } from '../files'

// Works for a share of every twentieth of a second, for four seconds, while something moves.
const busy = (share: number) =>
  ad({
    body: '<div id="b"></div>',
    script: `const until = performance.now() + 4000; let x = 0; const work = () => { const end = performance.now() + ${50 * share}; while (performance.now() < end); x = (x + 9) % 240; b.style.left = x + "px"; if (performance.now() < until) setTimeout(work, ${50 * (1 - share)}) }; work();`,
  })

/** The same without anything that moves, from some seconds after the load on. */
const hidden = (share: number, after = 0) =>
  ad({
    script: `const work = () => { const end = performance.now() + ${50 * share}; while (performance.now() < end); setTimeout(work, ${50 * (1 - share)}) }; addEventListener("load", () => setTimeout(work, ${after * 1000}));`,
  })

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('css.zip', moving('m 3s 1 forwards')),
  good('a-tenth.zip', busy(0.1)),
  good('hidden-a-tenth.zip', hidden(0.1)),
  bad('hidden-most.zip', hidden(0.7)),
  bad('hidden-later.zip', hidden(0.7, 6)),
  bad('half.zip', busy(0.55)),
  bad('most.zip', busy(0.7)),
  bad('nearly-all.zip', busy(0.9)),
])
