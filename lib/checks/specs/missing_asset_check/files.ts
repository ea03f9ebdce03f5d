import { ad, type Files, imageTag, SVG } from '../ad-files'
import { bad, good, sharing } from '../files'

const hero: Files = { 'img/hero.svg': SVG }

export const FILES = sharing({ runs: true }, [
  good('there.zip', ad({ body: imageTag('img/hero.svg') }, hero)),
  good('dotted.zip', ad({ body: imageTag('./img/../img/hero.svg') }, hero)),
  good('with-version.zip', ad({ body: imageTag('img/hero.svg?v=2') }, hero)),
  bad('missing.zip', ad({ body: imageTag('img/hero.svg') })),
  bad('other-case.zip', ad({ body: imageTag('img/Hero.svg') }, hero)),
  bad('of-a-style.zip', ad({ style: 'p{background:url(img/ground.svg)}' }, {})),
])
