import { ad, moving } from '../ad-files'
import { bad, good, sharing } from '../files'

const BOX = '<div id="b"></div>'
const asking = 'matchMedia("(prefers-reduced-motion: reduce)").matches'
const loop = 'let x = 0; setInterval(() => { x = (x + 12) % 240; b.style.left = x + "px"; }, 100);'

/** Two scenes, the second after so many seconds. */
const scene = (seconds: number) => `setTimeout(() => { b.style.left = "200px"; }, ${seconds * 1000});`

export const FILES = sharing({ runs: true, thresholds: { required: true } }, [
  good('still.zip', ad()),
  good(
    'style-sheet.zip',
    ad({
      body: BOX,
      style: '#b{animation:m 4s 1 forwards}@media (prefers-reduced-motion: reduce){#b{animation:none}}',
    }),
  ),
  good('script.zip', ad({ body: BOX, script: `if (!${asking}) { ${loop} }` })),
  good(
    'only-for-those-who-want-it.zip',
    ad({ body: BOX, style: '@media (prefers-reduced-motion: no-preference){#b{animation:m 4s 1 forwards}}' }),
  ),
  good('late-scene.zip', ad({ body: BOX, script: `if (!${asking}) { ${scene(6)} }` })),
  // What an ad does in its first second is how it begins.
  good('first-second.zip', ad({ body: BOX, script: `console.log(${asking}); ${scene(0.4)}` })),
  bad('late-scene-all-the-same.zip', ad({ body: BOX, script: `console.log(${asking}); ${scene(6)}` }), {
    onceWrong: true,
  }),
  bad('never-asks.zip', moving('m 4s 1 forwards')),
  bad('script-never-asks.zip', ad({ body: BOX, script: loop })),
  bad('asks-and-moves.zip', ad({ body: BOX, script: `console.log(${asking}); ${loop}` })),
  bad(
    'stops-something-else.zip',
    ad({ body: BOX, style: '#b{animation:m 4s infinite}@media (prefers-reduced-motion: reduce){p{animation:none}}' }),
  ),
])
