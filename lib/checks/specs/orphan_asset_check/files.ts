import { ad, type Files, imageTag, SVG } from '../ad-files'
import { bad, good, sharing } from '../files'

const hero: Files = { 'img/hero.svg': SVG }

export const FILES = sharing({ runs: true }, [
  good('asked-for.zip', ad({ body: imageTag('img/hero.svg') }, hero)),
  good('mentioned.zip', ad({ script: 'const later = "img/hero.svg";' }, hero)),
  good('backup.zip', ad({}, { 'backup.jpg': 'image' })),
  bad('left-over.zip', ad({ body: imageTag('img/hero.svg') }, { ...hero, 'img/old.svg': SVG })),
  bad('source.zip', ad({}, { 'banner.psd': 'layers' })),
  bad('script.zip', ad({}, { 'js/unused.js': 'var a = 1' })),
])
