import { writeFileSync } from 'node:fs'
import { randomFrom } from '@/fixtures/random'
import { zip } from '@/fixtures/zip'
import { bad, filesOf, good, type Labelled } from './labelled'

/** HTML5 ads that are run in a browser for their checks: each does one thing, right or wrong. */

const CLICK = 'document.addEventListener("click", () => window.open(window.clickTag));'
const MOVE =
  '#b{position:absolute;width:60px;height:60px;background:#084}@keyframes m{from{left:0}to{left:240px}}@keyframes back{from{left:240px}to{left:0}}'

type Page = { head?: string; body?: string; script?: string; style?: string }
type Files = Readonly<Record<string, string | Buffer>>

/** A faultless ad of 300 × 250 but for what is put into it. */
const page = ({ head = '', body = '<p>Spring</p>', script = '', style = '' }: Page) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="ad.size" content="width=300,height=250"><title>Ad</title><script>var clickTag = "https://www.example.com";</script><style>body{margin:0}${MOVE}${style}</style>${head}</head><body><div style="position:relative;width:300px;height:250px;overflow:hidden;background:#fed">${body}</div><script>${CLICK}${script}</script></body></html>`

const ad =
  (parts: Page = {}, files: Files = {}) =>
  (file: string) =>
    writeFileSync(file, zip([['index.html', page(parts)], ...Object.entries(files)]))

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40z"/></svg>'
const picture = (source: string) => `<p>Spring</p><img alt="" src="${source}">`
/** Bytes that no packer makes smaller. */
const noise = (bytes: number) => {
  const random = randomFrom(bytes)
  return Buffer.from(Uint8Array.from({ length: bytes }, () => random() * 256))
}
const moving = (animation: string) => ad({ body: `<div id="b" style="animation:${animation}"></div>` })
const onLoad = (script: string) => `addEventListener("load", () => setTimeout(() => { ${script} }, 300));`

function behaviours(): Labelled[] {
  return filesOf('ad_behaviour_check', [
    good('still.zip', ad()),
    good('moving.zip', moving('m 1s 1 forwards')),
    good('looks-on-click.zip', ad({ script: 'document.addEventListener("click", () => console.log("clicked"));' })),
    bad('dialog.zip', ad({ script: 'alert("hello");' })),
    bad('window.zip', ad({ script: onLoad('window.open("https://www.example.com/")') })),
    bad('leaves.zip', ad({ script: onLoad('location.href = "https://www.example.com/"') })),
    bad('never-ends.zip', ad({ script: 'for (;;) {}' })),
  ])
}

function animations(): Labelled[] {
  const rounds = { thresholds: { max_seconds: 5, max_rounds: 3 } }
  return filesOf(
    'ad_animation_check',
    [
      good('still.zip', ad()),
      good('one-second.zip', moving('m 1s 1 forwards')),
      good('two-seconds.zip', moving('m 2s 1 forwards')),
      good('three-rounds.zip', moving('m 0.6s 3 forwards'), rounds),
      bad('five-seconds.zip', moving('m 5s linear 1 forwards')),
      bad('endless.zip', moving('m 1s infinite')),
      bad(
        'by-script.zip',
        ad({
          body: '<div id="b"></div>',
          script: 'let x = 0; setInterval(() => { x = (x + 7) % 240; b.style.left = x + "px" }, 40);',
        }),
      ),
      bad('four-rounds.zip', moving('m 0.6s 4 forwards'), rounds),
    ],
    { thresholds: { max_seconds: 3 } },
  )
}

function assets(): Labelled[] {
  const hero: Files = { 'img/hero.svg': SVG }
  return [
    ...filesOf('missing_asset_check', [
      good('there.zip', ad({ body: picture('img/hero.svg') }, hero)),
      good('dotted.zip', ad({ body: picture('./img/../img/hero.svg') }, hero)),
      good('with-version.zip', ad({ body: picture('img/hero.svg?v=2') }, hero)),
      bad('missing.zip', ad({ body: picture('img/hero.svg') })),
      bad('other-case.zip', ad({ body: picture('img/Hero.svg') }, hero)),
      bad('of-a-style.zip', ad({ style: 'p{background:url(img/ground.svg)}' }, {})),
    ]),
    ...filesOf('orphan_asset_check', [
      good('asked-for.zip', ad({ body: picture('img/hero.svg') }, hero)),
      good('mentioned.zip', ad({ script: 'const later = "img/hero.svg";' }, hero)),
      good('backup.zip', ad({}, { 'backup.jpg': 'picture' })),
      bad('left-over.zip', ad({ body: picture('img/hero.svg') }, { ...hero, 'img/old.svg': SVG })),
      bad('source.zip', ad({}, { 'banner.psd': 'layers' })),
      bad('script.zip', ad({}, { 'js/unused.js': 'var a = 1' })),
    ]),
  ]
}

function loads(): Labelled[] {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `img/${index}.svg`)
  const files = (count: number): Files => Object.fromEntries(many(count).map((path) => [path, SVG]))
  const shown = (count: number) =>
    many(count)
      .map((path) => `<img alt="" width="9" src="${path}">`)
      .join('')
  const heavy = (bytes: number, name = 'img/hero.jpg'): Files => ({ [name]: noise(bytes) })
  const later = (bytes: number) => ad({ script: onLoad('new Image().src = "img/hero.jpg"') }, heavy(bytes))
  const first = (bytes: number) => ad({ body: picture('img/hero.jpg') }, heavy(bytes))
  return [
    ...filesOf('request_count_check', [
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
      bad('eleven-pictures.zip', ad({ body: shown(11) }, files(11))),
      bad('twenty.zip', ad({ body: shown(20) }, files(20))),
      bad('missing-ones.zip', ad({ body: shown(12) })),
    ]),
    // IAB: 150 kB for 300 × 250 until it has loaded, twice as much after it.
    ...filesOf('initial_load_check', [
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
        ad({ body: picture('a.jpg') + picture('b.jpg') }, { ...heavy(80_000, 'a.jpg'), ...heavy(80_001, 'b.jpg') }),
      ),
    ]),
    ...filesOf('subload_check', [
      good('nothing.zip', ad()),
      good('299.zip', later(299_000)),
      good('first.zip', first(320_000)),
      bad('301.zip', later(301_000)),
      bad('heavy.zip', later(600_000)),
      bad(
        'fetched.zip',
        ad({ script: onLoad('fetch("data.bin").then((answer) => answer.arrayBuffer())') }, heavy(320_000, 'data.bin')),
      ),
    ]),
  ]
}

function errors(): Labelled[] {
  return filesOf('console_error_check', [
    good('silent.zip', ad()),
    good('logs.zip', ad({ script: 'console.log("ready"); console.warn("slow");' })),
    good('caught.zip', ad({ script: 'try { none() } catch {}' })),
    bad('thrown.zip', ad({ script: 'setTimeout(() => { throw new Error("broken") }, 50);' })),
    bad('said.zip', ad({ script: 'console.error("no feed");' })),
    bad('rejected.zip', ad({ script: 'Promise.reject(new Error("no answer"));' })),
  ])
}

function processors(): Labelled[] {
  // Works for a share of every twentieth of a second, for four seconds, while something moves.
  const busy = (share: number) =>
    ad({
      body: '<div id="b"></div>',
      script: `const until = performance.now() + 4000; let x = 0; const work = () => { const end = performance.now() + ${50 * share}; while (performance.now() < end); x = (x + 9) % 240; b.style.left = x + "px"; if (performance.now() < until) setTimeout(work, ${50 * (1 - share)}) }; work();`,
    })
  return filesOf('cpu_check', [
    good('still.zip', ad()),
    good('css.zip', moving('m 3s 1 forwards')),
    good('a-tenth.zip', busy(0.1)),
    bad('half.zip', busy(0.55)),
    bad('most.zip', busy(0.7)),
    bad('nearly-all.zip', busy(0.9)),
  ])
}

export const ADS: Labelled[] = [
  ...behaviours(),
  ...animations(),
  ...assets(),
  ...loads(),
  ...errors(),
  ...processors(),
].map((each) => ({ ...each, runs: true }))
