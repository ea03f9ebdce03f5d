// `npm run bench:destinations`: what it takes to evaluate one measured file against fifty destinations and more, by what is
// stored of it: nothing is decoded. Floor, in the same run: reading that measurement from its JSON. Wanted: under 50 ms.
//
// RUNS=200
import type { Subject } from '@/lib/checks/check'
import { audio, document, image, ranAd, videoFrames } from '@/lib/checks/testing'
import { evaluateDestinations } from '@/lib/destinations/evaluate'
import { LIBRARY } from '@/lib/destinations/library'

const RUNS = Number(process.env.RUNS ?? 200)

const files = { image: image(), video: videoFrames(), audio: audio(), document: document(), 'HTML5 ad': ranAd() }
console.log(`${LIBRARY.length} destinations, ${RUNS} runs of each file, milliseconds`)
for (const [what, subject] of Object.entries(files)) {
  const stored = JSON.stringify(subject)
  const read = times(() => JSON.parse(stored))
  const evaluated = times(() => evaluateDestinations(JSON.parse(stored) as Subject, LIBRARY))
  // Files of one kind only: every requirement of fifty destinations is evaluated, and none is settled by its kind.
  const [own] = LIBRARY.filter(({ kinds }) => kinds.includes(subject.kind)).sort(
    (a, b) => b.requirements.length - a.requirements.length,
  )
  const fifty = own ? Array.from({ length: 50 }, () => own) : []
  const heaviest = times(() => evaluateDestinations(JSON.parse(stored) as Subject, fifty))
  console.log(
    `${what.padEnd(10)} floor ${line(read)}   library ${line(evaluated)}   50 × ${own?.id ?? 'none'} (${own?.requirements.length} requirements) ${line(heaviest)}`,
  )
}

function times(work: () => unknown): number[] {
  return Array.from({ length: RUNS }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  }).sort((a, b) => a - b)
}

function line(sorted: number[]): string {
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
  return `p50 ${at(0.5)}, p95 ${at(0.95)}`
}
