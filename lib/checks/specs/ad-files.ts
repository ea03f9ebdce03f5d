import { writeFileSync } from 'node:fs'
import { randomFrom } from '@/fixtures/random'
import { zip } from '@/fixtures/zip'

/** HTML5 ads that are run in a browser for their checks: each does one thing, right or wrong. */
const CLICK = 'document.addEventListener("click", () => window.open(window.clickTag));'

const MOVE =
  '#b{position:absolute;width:60px;height:60px;background:#084}@keyframes m{from{left:0}to{left:240px}}@keyframes back{from{left:240px}to{left:0}}'

type Page = { head?: string; body?: string; script?: string; style?: string }

export type Files = Readonly<Record<string, string | Buffer>>

/** A faultless ad of 300 × 250 but for what is put into it. */
const page = ({ head = '', body = '<p>Spring</p>', script = '', style = '' }: Page) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="ad.size" content="width=300,height=250"><title>Ad</title><script>var clickTag = "https://www.example.com";</script><style>body{margin:0}${MOVE}${style}</style>${head}</head><body><div style="position:relative;width:300px;height:250px;overflow:hidden;background:#fed">${body}</div><script>${CLICK}${script}</script></body></html>`

export const ad =
  (parts: Page = {}, files: Files = {}) =>
  (file: string) =>
    writeFileSync(file, zip([['index.html', page(parts)], ...Object.entries(files)]))

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40z"/></svg>'

export const imageTag = (source: string) => `<p>Spring</p><img alt="" src="${source}">`

/** Bytes that no packer makes smaller. */
export const noise = (bytes: number) => {
  const random = randomFrom(bytes)
  return Buffer.from(Uint8Array.from({ length: bytes }, () => random() * 256))
}

export const moving = (animation: string) => ad({ body: `<div id="b" style="animation:${animation}"></div>` })

export const onLoad = (script: string) => `addEventListener("load", () => setTimeout(() => { ${script} }, 300));`
