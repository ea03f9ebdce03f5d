import { externalRequestCheck } from '../../archive/external-request-check'
import { adRequest, askingAd, html, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const library = adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script', bytes: 0, packedBytes: 0 })

export const spec = specOf(externalRequestCheck, {
  good: [
    {
      name: 'brings all along',
      given: html('<img src="hero.jpg"><a href="https://example.com">Go</a>'),
    },
    {
      name: 'names a server that is allowed',
      given: html('<script src="https://s0.2mdn.net/ads.js"></script>'),
    },
    { name: 'asks for its own files when run', given: ranAd() },
  ],
  bad: [
    {
      name: 'names another server',
      given: html('<script src="https://cdn.example.net/lib.js"></script>'),
      details: /“cdn.example.net”/,
    },
    {
      name: 'names another server without a scheme',
      given: html('<link rel="stylesheet" href="//fonts.example/x.css">'),
    },
    {
      name: 'names a server that is allowed without encryption',
      given: html('<script src="http://s0.2mdn.net/ads.js"></script>'),
      details: /without encryption/,
    },
    { name: 'a script asks another server when run', given: askingAd(library), details: /“cdn.example”/ },
    {
      name: 'opens a socket without encryption to a server that is allowed when run',
      given: askingAd(adRequest('ws://s0.2mdn.net/x', { status: 'outside', kind: 'WebSocket' })),
      details: /without encryption/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
