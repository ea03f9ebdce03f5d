import { ad, type Files, imageTag, noise, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const heavy = (bytes: number, name = 'img/hero.jpg'): Files => ({ [name]: noise(bytes) })
const later = (bytes: number) => ad({ script: onLoad('new Image().src = "img/hero.jpg"') }, heavy(bytes))
const first = (bytes: number) => ad({ body: imageTag('img/hero.jpg') }, heavy(bytes))

// IAB: 150 kB for 300 × 250 until it has loaded, twice as much after it.
export const FILES = sharing({ runs: true }, [
  good('light.zip', first(20_000)),
  good('148.zip', first(147_500)),
  good('later.zip', later(200_000)),
  good(
    'packs-well.zip',
    ad({ head: '<link rel="stylesheet" href="a.css">' }, { 'a.css': `p{color:red}${' '.repeat(400_000)}` }),
  ),
  bad('152.zip', first(151_500)),
  bad('double.zip', first(300_000)),
  bad(
    'in-two.zip',
    ad({ body: imageTag('a.jpg') + imageTag('b.jpg') }, { ...heavy(80_000, 'a.jpg'), ...heavy(80_001, 'b.jpg') }),
  ),
])
