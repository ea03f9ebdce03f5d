import { ad, moving, noise, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const MB = 1_000_000
const heavyImage = (bytes: number) => ad({ script: 'fetch("blob.bin");' }, { 'blob.bin': noise(bytes) })

/** Computes for so many seconds of processor time in short steps, within as long as that takes. */
const computing = (seconds: number) =>
  ad({
    script: `let left = ${seconds * 1000}; const work = () => { const end = performance.now() + Math.min(100, left); while (performance.now() < end); left -= 100; if (left > 0) setTimeout(work, 5) }; addEventListener("load", () => setTimeout(work, 100));`,
  })

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('moving.zip', moving('m 1s 1 forwards')),
  good('below.zip', heavyImage(3.9 * MB)),
  good('packed-well.zip', ad({ script: 'fetch("zeros.bin");' }, { 'zeros.bin': Buffer.alloc(9 * MB) })),
  good('never-asked-for.zip', ad({}, { 'blob.bin': noise(5 * MB) })),
  good('a-second.zip', computing(1)),
  bad('above.zip', heavyImage(4.1 * MB)),
  bad('later.zip', ad({ script: onLoad('fetch("blob.bin")') }, { 'blob.bin': noise(6 * MB) })),
  bad(
    'many.zip',
    ad(
      { script: 'for (const part of ["a", "b", "c"]) fetch(part + ".bin");' },
      { 'a.bin': noise(2 * MB), 'b.bin': noise(1.5 * MB), 'c.bin': noise(1.2 * MB) },
    ),
  ),
  bad('computes.zip', computing(2), { thresholds: { max_window_cpu_seconds: 0.3 } }),
])
