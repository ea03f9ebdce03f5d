import type { OtherFacts, VastAd, VastCreative, VastFacts } from '@/lib/media/facts'

/** What the checks of VAST tags have in common. */

const isVast = (media: OtherFacts): media is VastFacts => 'format' in media && media.format === 'vast'

export const notVast = (media: OtherFacts) => (isVast(media) ? null : 'The file is no VAST tag.')

/** For `run`, which is not asked of other files. */
export function vastOf(media: OtherFacts): VastFacts {
  if (!isVast(media)) throw new Error('The file is no VAST tag')
  return media
}

/** `ad 2 (“spring”)`: as a person finds it in the file. */
export const adName = ({ id }: VastAd, index: number) => `ad ${index + 1}${id ? ` (“${id.slice(0, 40)}”)` : ''}`

/** The linear creatives that bring their own files: of ads that are no wrapper. */
export function inlineLinears({ ads }: VastFacts): { creative: VastCreative; where: string }[] {
  return ads.flatMap((ad, index) =>
    ad.kind === 'inline'
      ? ad.creatives.filter(({ kind }) => kind === 'linear').map((creative) => ({ creative, where: adName(ad, index) }))
      : [],
  )
}
