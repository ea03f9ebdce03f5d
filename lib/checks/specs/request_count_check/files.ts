import { ad, type Files, onLoad, SVG } from '../ad-files'
import { bad, good, sharing } from '../files'

const many = (count: number) => Array.from({ length: count }, (_, index) => `img/${index}.svg`)
const files = (count: number): Files => Object.fromEntries(many(count).map((path) => [path, SVG]))

const shown = (count: number) =>
  many(count)
    .map((path) => `<img alt="" width="9" src="${path}">`)
    .join('')

export const FILES = sharing({ runs: true }, [
  good('few.zip', ad({ body: shown(3) }, files(3))),
  good('nine.zip', ad({ body: shown(8) }, files(8))),
  good('one-many-times.zip', ad({ body: '<img alt="" src="img/0.svg">'.repeat(14) }, files(1))),
  good(
    'later.zip',
    ad(
      {
        script: onLoad(
          many(14)
            .map((path) => `new Image().src = "${path}"`)
            .join(';'),
        ),
      },
      files(14),
    ),
  ),
  bad('eleven-images.zip', ad({ body: shown(11) }, files(11))),
  bad('twenty.zip', ad({ body: shown(20) }, files(20))),
  bad('missing-ones.zip', ad({ body: shown(12) })),
])
