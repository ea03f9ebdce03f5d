import { ad, SIZE, TAG } from '../archive-files'
import { bad, good, sharing } from '../files'

const meta = (tag: string) => ad(tag + TAG)
/** An ad of 300 × 250 px that draws what `style` says: a stage with a text upon it. */
const drawn = (style: string, body = STAGE) => ad(`${SIZE}${TAG}<style>*{margin:0}${style}</style>`, body)
const TEXT =
  '<a href="javascript:window.open(window.clickTag)" style="position:absolute;left:20px;top:180px">Buy now</a>'
const STAGE = `<div id="stage">${TEXT}</div>`
const stage = (width: number, height: number) => `#stage{width:${width}px;height:${height}px;background:#0af}`
const named = { template: '{title}_{width}x{height}.{ext}', thresholds: {} }

const SIZES = { thresholds: { sizes: ['300x250', '728x90'] } }

export const FILES = [
  ...sharing(SIZES, [
    good('stated.zip', meta(SIZE)),
    good('spaced.zip', meta("<META NAME='ad.size' CONTENT='width=728, height=90' />")),
    good('turned-round.zip', meta('<meta content="width=300,height=250" name="ad.size">')),
    good('ad_300x250.zip', meta(SIZE), named),
    bad('none.zip', meta('')),
    bad('other.zip', meta('<meta name="ad.size" content="width=300,height=251">')),
    bad('unreadable.zip', meta('<meta name="ad.size" content="300x250">')),
    bad('commented.zip', meta(`<!-- ${SIZE} -->`), { onceWrong: true }),
    bad('ad_728x90.zip', meta(SIZE), named),
  ]),
  ...sharing({ ...SIZES, runs: true }, [
    good('stage.zip', drawn(stage(300, 250))),
    good('stage-on-white.zip', drawn(`body{background:#fff}${stage(300, 250)}`)),
    good('body.zip', drawn('body{width:300px;height:250px;background:#0af}', TEXT)),
    good('clipping-body.zip', drawn('body{width:300px;height:250px;overflow:hidden;position:relative}', TEXT)),
    good(
      'strip.zip',
      drawn(
        '#stage{width:300px;height:250px;overflow:hidden;position:relative}#strip{position:absolute;left:0;top:0;width:900px;height:250px;background:#0af}',
        `<div id="stage"><div><div id="strip"></div></div>${TEXT}</div>`,
      ),
    ),
    bad('lower.zip', drawn(stage(300, 200))),
    bad('narrower-on-white.zip', drawn(`html,body{height:100%;background:#fff}${stage(160, 250)}`)),
    bad('wider.zip', drawn(stage(320, 250))),
    bad('wider-body.zip', drawn('body{width:320px;height:250px;background:#0af}', TEXT)),
    bad(
      'not-clipped.zip',
      drawn(
        '#stage{width:300px;height:250px;overflow:hidden}#strip{position:absolute;left:0;top:0;width:900px;height:250px;background:#0af}',
        `<div id="stage"><div id="strip"></div>${TEXT}</div>`,
      ),
    ),
  ]),
]
