import { ad, moving } from '../ad-files'
import { bad, good, sharing } from '../files'

const rounds = { thresholds: { max_seconds: 5, max_rounds: 3 } }

/** Rounds of six steps, by a timer. */
const byTimer = (times: number, step: string) =>
  ad({
    body: '<div id="b"></div>',
    script: `let n = 0; const timer = setInterval(() => { if (n === ${6 * times}) return clearInterval(timer); ${step}; n++ }, 120);`,
  })
const LEFT = 'b.style.left = (n % 6) * 40 + "px"'
const long = { thresholds: { max_seconds: 15, max_rounds: 3 } }

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
  good('three-by-timer.zip', byTimer(3, LEFT), long),
  good('three-by-text.zip', byTimer(3, 'b.textContent = "Spring " + (n % 6)'), long),
  bad('four-by-timer.zip', byTimer(4, LEFT), long),
  bad('five-by-text.zip', byTimer(5, 'b.textContent = "Spring " + (n % 6)'), long),
  bad(
    'four-restarted.zip',
    ad({
      body: '<div id="b"></div>',
      script:
        'let n = 0; const again = () => { if (n++ === 4) return; b.style.animation = "none"; b.offsetWidth; b.style.animation = "m 0.5s 1 forwards"; setTimeout(again, 800) }; again();',
    }),
    long,
  ),
  bad('four-rounds.zip', moving('m 0.6s 4 forwards'), rounds),
])
