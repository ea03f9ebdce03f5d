import { ad, SIZE, TAG } from '../archive-files'
import { bad, good, sharing } from '../files'

const meta = (tag: string) => ad(tag + TAG)
const named = { template: '{title}_{width}x{height}.{ext}', thresholds: {} }

export const FILES = sharing({ thresholds: { sizes: ['300x250', '728x90'] } }, [
  good('stated.zip', meta(SIZE)),
  good('spaced.zip', meta("<META NAME='ad.size' CONTENT='width=728, height=90' />")),
  good('turned-round.zip', meta('<meta content="width=300,height=250" name="ad.size">')),
  good('ad_300x250.zip', meta(SIZE), named),
  bad('none.zip', meta('')),
  bad('other.zip', meta('<meta name="ad.size" content="width=300,height=251">')),
  bad('unreadable.zip', meta('<meta name="ad.size" content="300x250">')),
  bad('commented.zip', meta(`<!-- ${SIZE} -->`), { onceWrong: true }),
  bad('ad_728x90.zip', meta(SIZE), named),
])
