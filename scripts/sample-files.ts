// `npm run sample-files -- FOLDER`: a small delivery to try the service with: an image, a video, a PDF, a zip, and a
// copy of the image that was cut off on its way.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Design, still } from '@/fixtures/artwork'
import { advertisement, banner, clip } from '@/fixtures/deliveries'

const folder = process.argv[2]
if (!folder) {
  console.error('Say where to: npm run sample-files -- FOLDER')
  process.exit(1)
}
const design: Design = {
  brand: 'Fjord & Field',
  headline: 'Spring starts here',
  colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
  shape: 'peaks',
}
const image = await still(design, 300, 250, 'jpg')
const files = {
  'spring_300x250.jpg': image,
  'spring_640x360_4s.mp4': await clip(design, 640, 360, 4, 25),
  'spring_a5.pdf': await advertisement(design, 2, true),
  'spring_300x250.zip': await banner(design, 300, 250),
  'spring_300x250_damaged.jpg': image.subarray(0, Math.floor(image.length * 0.6)),
}
mkdirSync(folder, { recursive: true })
for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(path.join(folder, name), bytes)
  console.log(path.join(folder, name))
}
