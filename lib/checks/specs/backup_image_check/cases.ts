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

/** The same with a page that shows it. */
const showing = (path: string, size: number) =>
  archive({
    documents: [{ path: 'index.html', text: `<img src="${path}" alt="">` }],
    entries: [
      { path: 'index.html', size: 900, compressedSize: 400 },
      { path, size, compressedSize: size },
    ],
  })

export const spec = specOf(backupImageCheck, {
  good: [
    { name: 'an image called backup', given: holding('img/backup.jpg', 30_000), confidence: 0.97 },
    { name: 'an image called static', given: holding('static.jpg', 30_000), confidence: 0.9 },
    { name: 'the only image, which the ad does not show', given: holding('a.jpg', 30_000), confidence: 0.95 },
    { name: 'the only image, which the ad shows', given: showing('hero.jpg', 30_000), confidence: 0.6 },
  ],
  bad: [
    { name: 'a backup image that is too heavy', given: holding('backup.jpg', 41_000), details: /41 kB; at most 40 kB/ },
    { name: 'no backup image', given: holding('img/hero.jpg', 30_000), details: /no backup image/, confidence: 0.9 },
    {
      name: 'no image of a type that counts',
      given: holding('hero.webp', 900),
      details: /no backup image/,
      confidence: 1,
    },
    { name: 'only one image, which need not be it', given: showing('a.jpg', 41_000), confidence: 0.6 },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
