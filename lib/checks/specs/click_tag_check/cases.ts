import type { BannerFacts } from '@/lib/media/measurements'
import { clickTagCheck } from '../../archive/click-tag-check'
import { archive, html, plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const click = (changes: Partial<NonNullable<BannerFacts['click']>>, more: Partial<BannerFacts> = {}) =>
  ranAd({
    click: { on: 'stage', target: null, how: null, byClickTag: false, declared: 'https://example.com', ...changes },
    ...more,
  })

/** A page and nothing else. */
const still = (text: string) =>
  archive({
    documents: [{ path: 'index.html', text }],
    entries: [{ path: 'index.html', size: 900, compressedSize: 400 }],
    entryCount: 1,
  })

export const spec = specOf(clickTagCheck, {
  good: [
    { name: 'defines clickTag', given: archive(), details: /defines clickTag/ },
    { name: 'defines it in another spelling', given: html('<script>window["clickTAG"] = "x"</script>') },
    {
      name: 'leaves by an exit call',
      given: html('<script>Enabler.exit("main")</script>'),
      details: /leaves by Enabler.exit\(\)/,
    },
    { name: 'leads where the click tag says when clicked', given: ranAd(), details: /where clickTag says/ },
    {
      name: 'leads to the exit of an ad server when clicked',
      given: click({ target: 'Main', how: 'exit' }),
      details: /\(Main\)/,
    },
    {
      name: 'leads to a constant of the same address when clicked',
      given: click({ target: 'https://example.com/', how: 'window' }),
      details: /as clickTag says/,
    },
    { name: 'nothing can run it: its text counts', given: unrunAd, details: /defines clickTag/ },
  ],
  bad: [
    {
      name: 'neither click tag nor exit call',
      given: html('<script>go()</script>'),
      fix: /var clickTag/,
      confidence: 0.85,
    },
    {
      name: 'a link that an ad server may fill in',
      given: still('<a href="%%CLICK_URL_UNESC%%">'),
      confidence: 0.85,
    },
    { name: 'nothing but a link', given: still('<a href="https://example.com">'), confidence: 1 },
    { name: 'a click tag in a comment', given: html('<!-- var clickTag = "x" -->') },
    { name: 'a comparison with a click tag', given: html('<script>if (window.clickTag == 1) {}</script>') },
    {
      name: 'a script beside the page may define it',
      given: html('<script src="ad.js"></script>'),
      details: /a script beside it may/,
      confidence: 0.5,
    },
    { name: 'leads nowhere when clicked', given: click({}), details: /leads nowhere, although/ },
    {
      name: 'leads to a fixed address when clicked',
      given: click({ target: 'https://shop.example/', how: 'window' }),
      fix: /Take https:\/\/shop.example\/ out/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
