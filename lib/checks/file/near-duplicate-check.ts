import { z } from 'zod'
import { fail, fileCheck, type Neighbour, pass, skip } from '../check'
import { measuredConfidence, sampleConfidence } from '../confidence'
import { count, verb } from '../wording'

export const nearDuplicateCheck = fileCheck({
  id: 'near_duplicate_check',
  label: 'Near duplicates',
  kinds: ['image', 'video', 'document'],
  describe:
    'Another file of the project looks the same: a copy that was saved again, scaled or renamed. Images are compared with others of about their size, documents by their first page. Videos are compared by their key frames, at most two a second and without black bars, also in another size, format or length: a copy with its beginning cut off is found, a spot with the same end card is not. Key frames that are black or plain do not count.',
  severity: 'advisory',
  confidence:
    'A match: how likely the distance is on the same side of the limit, with a standard deviation of two bits, as coding and scaling turn some; of videos also how likely all of it is, by the share and number of the key frames that were compared. None: 0.95.',
  thresholds: z.strictObject({
    max_distance: z.number().int().min(0).max(16).default(6).meta({
      title: 'Differing bits that still look the same',
      unit: 'bits of 64',
      source: 'Reasoned: re-saving and scaling flip up to 3 bits of a difference hash, unlike images about 32',
    }),
    min_shared_percent: z.number().min(1).max(100).default(50).meta({
      title: 'Least share of the key frames of the shorter video',
      unit: '%',
      source: 'Reasoned: copies share nearly all, spots with the same opening and end card less than half',
    }),
    other_sizes: z.boolean().default(true).meta({
      title: 'Videos also in another size',
      source: 'Reasoned: a spot in two sizes may be meant; it should not be so unnoticed',
    }),
  }),
  run({ neighbours, name, kind }, { max_distance, min_shared_percent, other_sizes }) {
    const what = kind === 'video' || kind === 'document' ? kind : 'image'
    if (neighbours === undefined) return skip(`The ${what} is too plain to be compared with others.`)
    const close = neighbours
      .filter(({ distance, video }) => distance <= max_distance && (!video || isAlike(video)))
      .sort((a, b) => shareOf(b) - shareOf(a) || a.distance - b.distance || a.name.localeCompare(b.name))
    const nearest = close[0]
    const wanted =
      kind === 'video'
        ? { expected: `less than ${min_shared_percent}`, unit: '%' }
        : { expected: `more than ${max_distance}`, unit: 'bits of 64' }
    if (!nearest) {
      return pass(`No other ${what} of the project looks like this one.`, { confidence: 0.95, ...wanted })
    }
    const others = close.length > 1 ? ` and like ${count(close.length - 1, 'further file')}` : ''
    const { video } = nearest
    const how = video
      ? `${video.shared} of ${count(video.of, 'key frame')} ${verb(video.shared, 'is', 'are')} the same${video.isOtherSize ? ', in another size' : ''}`
      : `${nearest.distance} of 64 bits differ`
    return fail(`The ${what} looks like “${nearest.name}” (${how})${others}; copies of one motif are not wanted.`, {
      confidence: Math.min(
        measuredConfidence(nearest.distance, max_distance + 0.5, 2),
        video ? sampleConfidence(shareOf(nearest), min_shared_percent / 100, video.of) : 1,
      ),
      measured: video ? Math.round(shareOf(nearest) * 100) : nearest.distance,
      ...wanted,
      fix: `Compare “${name}” with “${nearest.name}” and keep one, or send the one as the next version of the other.`,
    })

    function isAlike(video: NonNullable<Neighbour['video']>): boolean {
      return video.shared / video.of >= min_shared_percent / 100 && (other_sizes || !video.isOtherSize)
    }
  },
})

/** Of the key frames of the shorter video; images are compared as a whole. */
const shareOf = ({ video }: Neighbour) => (video ? video.shared / video.of : 1)
