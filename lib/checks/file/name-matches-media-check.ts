import { z } from 'zod'
import type { MediaFacts } from '@/lib/media/facts'
import { fail, fileCheck, isFailure, pass, type Subject, skip } from '../check'
import { isAtMost } from '../limits'
import { sizeAsSeen } from '../visual/size'
import { allOf, decimal, millimetreSize, pixelSize, seconds } from '../wording'

type Comparison = { agrees: boolean; claimed: string; found: string }

export const nameMatchesMediaCheck = fileCheck({
  id: 'name_matches_media_check',
  label: 'Name matches the file',
  kinds: ['image', 'video', 'audio', 'document', 'archive', 'other'],
  describe: 'What the file name says of the file (size, length, frame rate, ratio) is what the file is.',
  severity: 'blocking',
  thresholds: z.strictObject({
    duration_tolerance_seconds: z.number().min(0).default(0.5).meta({
      title: 'Tolerance of the length',
      unit: 's',
      source: 'Reasoned: a name gives whole seconds, so half of one is rounding',
    }),
    frame_rate_tolerance: z.number().min(0).default(0.05).meta({
      title: 'Tolerance of the frame rate',
      unit: 'frames/s',
      source: 'Reasoned: names round 23.976, 29.97 and 59.94 up (SMPTE ST 12-1 drop-frame rates)',
    }),
    ratio_tolerance: z.number().min(0).max(0.5).default(0.01).meta({
      title: 'Tolerance of the ratio, as a share of it',
      source: 'Reasoned: 1 % lets a size rounded to even pixels through',
    }),
  }),
  run(subject, thresholds) {
    const { claims, media, name, nextNames } = subject
    if (Object.values(claims).every((claim) => claim === undefined)) {
      return skip('No size or length is read from the name: no naming convention says where it would stand.')
    }
    if (isFailure(media)) return media
    const comparisons = compare(claims, media, thresholds)
    if (comparisons.length === 0) {
      return skip('What the name says cannot be read from a file of this type.')
    }
    const wrong = comparisons.filter((comparison) => !comparison.agrees)
    const extras = {
      measured: comparisons.map((comparison) => comparison.found).join(', '),
      expected: comparisons.map((comparison) => comparison.claimed).join(', '),
    }
    if (wrong.length === 0) {
      return pass(`The name says ${allOf(comparisons.map((comparison) => comparison.claimed))}, and so it is.`, extras)
    }
    return fail(wrong.map(({ claimed, found }) => `The name says ${claimed}; the file is ${found}.`).join(' '), {
      ...extras,
      fix: [
        `Rename “${name}” to say ${allOf(wrong.map(({ found }) => found))}`,
        nextNames && ` and send it as “${nextNames.asMeasured}”`,
        `, or export it anew at ${allOf(wrong.map(({ claimed }) => claimed))}`,
        nextNames && ` and send that as “${nextNames.asClaimed}”`,
        '.',
      ].join(''),
    })
  },
})

function compare(
  claims: Subject['claims'],
  media: MediaFacts,
  tolerances: { duration_tolerance_seconds: number; frame_rate_tolerance: number; ratio_tolerance: number },
): Comparison[] {
  const comparisons: Comparison[] = []
  const seen = media.kind === 'image' || media.kind === 'video' ? sizeAsSeen(media) : null
  if (claims.width && claims.height && seen) {
    comparisons.push({
      agrees: claims.width === seen.width && claims.height === seen.height,
      claimed: pixelSize(claims.width, claims.height),
      found: pixelSize(seen.width, seen.height),
    })
  }
  const page = media.kind === 'document' ? media.pageSizes[0] : undefined
  const shape = seen ?? (page && { width: page.widthMm, height: page.heightMm })
  if (claims.ratio && shape) {
    const claimed = claims.ratio.width / claims.ratio.height
    const found = shape.width / shape.height
    comparisons.push({
      agrees: isAtMost(Math.abs(found / claimed - 1), tolerances.ratio_tolerance),
      claimed: `${claims.ratio.width}:${claims.ratio.height}`,
      found: `${decimal(found, 3)}:1 (${seen ? pixelSize(shape.width, shape.height) : millimetreSize(shape.width, shape.height)})`,
    })
  }
  const length = 'durationSeconds' in media ? media.durationSeconds : null
  if (claims.durationSeconds !== undefined && length !== null) {
    comparisons.push({
      agrees: isAtMost(Math.abs(length - claims.durationSeconds), tolerances.duration_tolerance_seconds),
      claimed: seconds(claims.durationSeconds),
      found: seconds(length),
    })
  }
  if (claims.framesPerSecond !== undefined && media.kind === 'video') {
    comparisons.push({
      agrees: isAtMost(Math.abs(media.frameRate.average - claims.framesPerSecond), tolerances.frame_rate_tolerance),
      claimed: `${decimal(claims.framesPerSecond, 3)} frames per second`,
      found: `${decimal(media.frameRate.average, 3)} frames per second`,
    })
  }
  return comparisons
}
