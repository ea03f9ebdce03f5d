import { ad, type Files, imageTag, noise, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const heavy = (bytes: number, name = 'img/hero.jpg'): Files => ({ [name]: noise(bytes) })
const later = (bytes: number) => ad({ script: onLoad('new Image().src = "img/hero.jpg"') }, heavy(bytes))
const first = (bytes: number) => ad({ body: imageTag('img/hero.jpg') }, heavy(bytes))

export const FILES = sharing({ runs: true }, [
  good('nothing.zip', ad()),
  good('299.zip', later(299_000)),
  good('first.zip', first(320_000)),
  bad('301.zip', later(301_000)),
  bad('heavy.zip', later(600_000)),
  bad(
    'fetched.zip',
    ad({ script: onLoad('fetch("data.bin").then((response) => response.arrayBuffer())') }, heavy(320_000, 'data.bin')),
  ),
])
