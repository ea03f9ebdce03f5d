import type { BannerFacts } from '@/lib/media/measurements'
import { clickTagCheck } from '../../archive/click-tag-check'
import { adRequest, archive, html, plainArchive, ranAd, unrunAd } from '../../testing'
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
    {
      name: 'defines it in another spelling',
      given: html('<script>window["clickTAG"] = "x"</script>'),
      confidence: 0.85,
    },
    {
      name: 'defines and uses it',
      given: html('<script>var w = 300, clickTag = "x"; onclick = () => open(clickTag)</script>'),
      confidence: 0.97,
    },
    {
      name: 'defines it in one spelling and uses another',
      given: html('<script>var clickTAG = "x"; onclick = () => open(clickTag)</script>'),
      confidence: 0.85,
    },
    {
      name: 'defines several',
      given: html('<script>clickTag1 = "x"; clickTag2 = "y"</script>'),
      details: /defines clickTag1/,
    },
    {
      name: 'leaves by an exit call',
      given: html('<script>Enabler.exit("main")</script>'),
      details: /leaves by Enabler.exit\(\)/,
      confidence: 0.95,
    },
    {
      name: 'takes it from its address',
      given: html('<script>open(new URLSearchParams(location.search).get("clickTag"))</script>'),
      details: /takes from its address clickTag/,
      confidence: 0.85,
    },
    { name: 'leads where the click tag says when clicked', given: ranAd(), details: /where clickTag says/ },
    {
      name: 'leads to the exit of an ad server when clicked',
      given: click({ target: 'Main', how: 'exit' }),
      details: /\(Main\)/,
    },
    {
      name: 'leads to a constant of an address that stands twice in the code',
      given: {
        ...html('<script>var clickTag = "https://a.example", b = "https://a.example"</script>'),
        measures: click({ target: 'https://a.example/', how: 'window', declared: 'https://a.example' }).measures,
      },
      confidence: 0.85,
    },
    {
      name: 'leads to a constant of the same address when clicked',
      given: click({ target: 'https://example.com/', how: 'window' }),
      details: /as clickTag says/,
      confidence: 0.97,
    },
    { name: 'nothing can run it: its text counts', given: unrunAd, details: /defines clickTag/ },
  ],
  bad: [
    {
      name: 'neither click tag nor exit call',
      given: still('<script>go()</script>'),
      fix: /var clickTag/,
      confidence: 0.99,
    },
    {
      name: 'neither, and a script of another server',
      given: still('<script src="https://cdn.example/ad.js"></script>'),
      confidence: 0.85,
    },
    {
      name: 'neither, and code that is put together',
      given: still('<script>window[a + b] = 1</script>'),
      confidence: 0.85,
    },
    {
      name: 'neither, and scripts that were not read',
      given: archive({ documents: [{ path: 'index.html', text: '<script>go()</script>' }], entryCount: 9 }),
      confidence: 0.85,
    },
    { name: 'only a word that holds it', given: still('<script>var clickTags = 2, onClickTag = 1</script>') },
    {
      name: 'asks for it at its address in vain',
      given: still('<script>location.search; open(window.clickTag)</script>'),
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
    { name: 'leads nowhere when clicked', given: click({}), details: /leads nowhere, although/, confidence: 0.8 },
    { name: 'answers no click', given: click({}, { clickableShare: 0 }), confidence: 0.99 },
    { name: 'leads nowhere and has no click tag', given: click({ declared: null }), confidence: 0.99 },
    {
      name: 'leads nowhere without the library of another server',
      given: click({}, { requests: [adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script' })] }),
      confidence: 0.6,
    },
    {
      name: 'leads to a fixed address when clicked',
      given: click({ target: 'https://shop.example/', how: 'window' }),
      fix: /Take https:\/\/shop.example\/ out/,
      confidence: 0.9,
    },
    {
      name: 'leads to an address when clicked, and has no click tag',
      given: click({ target: 'https://shop.example/', how: 'window', declared: null }),
      confidence: 0.99,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
