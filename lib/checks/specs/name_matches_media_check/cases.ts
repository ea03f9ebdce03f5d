import type { Subject } from '../../check'
import { nameMatchesMediaCheck } from '../../file/name-matches-media-check'
import { audioFacts, documentFacts, image, pageFacts, subject, video } from '../../testing'
import { specOf } from '../spec'

const file = (changes: Partial<Subject> = {}) => image({}, changes)
const claims = { width: 300, height: 250 }
const spot = (changes = {}, said = {}) => video(changes, { name: 'spot_15s.mp4', claims: said })

export const spec = specOf(nameMatchesMediaCheck, {
  good: [
    { name: 'the size in the name', given: file({ claims }), details: /300 × 250 px, and so it is/ },
    {
      name: 'the size in the name after turning',
      given: image({ width: 250, height: 300, orientation: 6 }, { claims }),
    },
    { name: 'half a second off what the name says', given: spot({ durationSeconds: 15.5 }, { durationSeconds: 15 }) },
    {
      name: 'a rate that the name rounds',
      given: spot({ frameRate: { average: 29.97, nominal: 29.97, constant: true } }, { framesPerSecond: 30 }),
    },
    {
      name: 'within 1 % of the ratio in the name',
      given: spot({ displayWidth: 1936 }, { ratio: { width: 16, height: 9 } }),
    },
    {
      name: 'a page of the ratio in the name',
      given: subject(documentFacts({ pageSizes: [pageFacts({ widthMm: 160, heightMm: 90 })] }), {
        claims: { ratio: { width: 16, height: 9 } },
      }),
    },
  ],
  bad: [
    {
      name: 'another size than the name says',
      given: image({ width: 298 }, { claims }),
      details: 'The name says 300 × 250 px; the file is 298 × 250 px.',
      fix: /Rename “hero.png” to say 298 × 250 px/,
    },
    {
      name: 'another size, with the name for each way out',
      given: image(
        { width: 298 },
        {
          claims,
          nextNames: { asMeasured: 'hero_298x250_v2.png', asClaimed: 'hero_300x250_v2.png' },
        },
      ),
      fix: /to say 298 × 250 px and send it as “hero_298x250_v2.png”, or export it anew at 300 × 250 px and send that as “hero_300x250_v2.png”\./,
    },
    {
      name: 'more than half a second off what the name says',
      given: spot({ durationSeconds: 15.51 }, { durationSeconds: 15 }),
      details: /15 s; the file is 15.51 s/,
    },
    {
      name: 'another rate than the name says',
      given: spot({}, { framesPerSecond: 30 }),
      details: /30 frames per second; the file is 25/,
    },
    {
      name: 'more than 1 % off the ratio in the name',
      given: spot({ displayWidth: 1941 }, { ratio: { width: 16, height: 9 } }),
    },
    {
      name: 'wrong in length and rate, both reported at once',
      given: spot({}, { durationSeconds: 30, framesPerSecond: 50 }),
      details: /says 30 s.*says 50 frames/,
    },
  ],
  skipped: [
    { name: 'the name says nothing', given: file() },
    { name: 'the name speaks of what the file does not have', given: subject(audioFacts(), { claims }) },
  ],
  error: [{ name: 'its facts could not be read', given: file({ claims, media: { failed: 'unreadable' } }) }],
})
