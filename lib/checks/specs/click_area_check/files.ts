import { writeFileSync } from 'node:fs'
import { zip } from '@/fixtures/zip'
import { ad } from '../ad-files'
import { bad, good, sharing } from '../files'

/** An ad without the handler that the others have on their whole document. */
const page =
  (body: string, script = '') =>
  (file: string) =>
    writeFileSync(
      file,
      zip([
        [
          'index.html',
          `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="ad.size" content="width=300,height=250"><title>Ad</title><script>var clickTag = "https://www.example.com";</script><style>body{margin:0}</style></head><body><div style="position:relative;width:300px;height:250px;overflow:hidden;background:#fed">${body}</div><script>${script}</script></body></html>`,
        ],
      ]),
    )

const box = (style: string) => `position:absolute;left:0;top:0;${style}`
const OPEN = 'window.open(window.clickTag)'

export const FILES = sharing({ runs: true, thresholds: { min_percent: 100 } }, [
  good('whole-document.zip', ad()),
  good(
    'link-over-all.zip',
    page(`<p>Spring</p><a href="javascript:${OPEN}" style="${box('width:300px;height:250px')}"></a>`),
  ),
  good(
    'canvas.zip',
    page('<canvas id="c" width="300" height="250"></canvas>', `c.addEventListener("pointerup", () => ${OPEN});`),
  ),
  good('handler-of-the-body.zip', page('<p>Spring</p>', `document.body.onclick = () => ${OPEN};`)),
  good('half-is-wanted.zip', page(`<a href="#" style="${box('width:300px;height:150px')}">Spring</a>`), {
    thresholds: { min_percent: 50 },
  }),
  bad(
    'button.zip',
    page(`<p>Spring</p><button style="${box('width:90px;height:40px')}" onclick="${OPEN}">Buy</button>`),
  ),
  bad('half.zip', page(`<a href="#" style="${box('width:300px;height:125px')}">Spring</a>`)),
  bad(
    'covered.zip',
    page(
      `<a href="#" style="${box('width:300px;height:250px')}">Spring</a><p style="${box('width:300px;height:100px;background:#fff')}">Legal</p>`,
    ),
  ),
  bad('a-handler-of-nothing.zip', page('<p>Spring</p>', 'document.addEventListener("keydown", () => {});')),
])
