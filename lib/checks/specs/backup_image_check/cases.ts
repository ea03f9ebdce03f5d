import { backupImageCheck } from '../../archive/backup-image-check'
import { archive, plainArchive } from '../../testing'
import { specOf } from '../spec'

const holding = (path: string, size: number) =>
  archive({
    entries: [
      { path: 'index.html', size: 900, compressedSize: 400 },
      { path, size, compressedSize: size },
    ],
  })

export const spec = specOf(backupImageCheck, {
  good: [{ name: 'an image called backup', given: holding('img/backup.jpg', 30_000) }],
  bad: [
    { name: 'a backup image that is too heavy', given: holding('backup.jpg', 41_000), details: /41 kB; at most 40 kB/ },
    { name: 'no backup image', given: holding('img/hero.jpg', 30_000), details: /no backup image/ },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
