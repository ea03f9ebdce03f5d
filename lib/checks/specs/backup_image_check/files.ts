import { randomFrom } from '@/fixtures/random'
import type { ZipFile } from '@/fixtures/zip'
import { HTML, pack } from '../archive-files'
import { bad, good } from '../files'

const random = randomFrom(20)
const noise = Buffer.from(Array.from({ length: 40_001 }, () => Math.floor(random() * 256)))

const still = (path: string, bytes = 40_000, more: readonly ZipFile[] = []) =>
  pack([HTML, [path, noise.subarray(0, bytes)], ...more])

export const FILES = [
  good('backup.zip', still('backup.jpg')),
  good('named.zip', still('300x250_fallback.png', 12_000, [['hero.png', 'a']])),
  good('only-one.zip', still('still.gif', 12_000)),
  bad('none.zip', pack([HTML])),
  bad('heavy.zip', still('backup.jpg', 40_001)),
  bad('which.zip', still('a.png', 900, [['b.png', 'x']])),
  bad('deep.zip', pack([HTML, ['images/a.png', 'x']])),
  bad('other-type.zip', still('backup.webp', 900)),
]
