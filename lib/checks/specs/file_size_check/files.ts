import { writeFileSync } from 'node:fs'
import { png } from '@/fixtures/images'
import { bad, good } from '../files'

/** A PNG of exactly so many bytes: a chunk of text of its own makes up the rest. */
const weighing =
  (bytes: number, width = 120, height = 80) =>
  (file: string) => {
    const bare = png(width, height, () => [40, 90, 160]).length
    const filler = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(bytes - bare - 12 - 8, 'x')])
    writeFileSync(
      file,
      png(width, height, () => [40, 90, 160], { chunks: [['tEXt', filler]] }),
    )
  }
const between = { thresholds: { min_bytes: 10_000, max_bytes: 150_000 } }
const bySize = { thresholds: { max_bytes: 200_000, max_bytes_by_size: { '300x250': 150_000, '320x50': 50_000 } } }

export const FILES = [
  good('most.png', weighing(150_000), between),
  good('least.png', weighing(10_000), between),
  good('banner.png', weighing(50_000, 320, 50), bySize),
  good('no-banner.png', weighing(200_000), bySize),
  good('category.png', weighing(80_000), { expects: { maxFileBytes: 80_000 } }),
  bad('above.png', weighing(150_001), between),
  bad('below.png', weighing(9_999), between),
  bad('banner-heavy.png', weighing(50_001, 320, 50), bySize),
  bad('square-heavy.png', weighing(150_001, 300, 250), bySize),
  bad('category-heavy.png', weighing(80_001), { expects: { maxFileBytes: 80_000 } }),
]
