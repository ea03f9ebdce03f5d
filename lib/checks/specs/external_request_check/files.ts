import { ad, LINK, SIZE, TAG } from '../archive-files'
import { bad, good } from '../files'

const loads = (html: string, body = LINK) => ad(SIZE + TAG + html, body)

export const FILES = [
  good('none.zip', loads('<script src="main.js"></script>')),
  good('link.zip', loads('', '<a href="https://www.example.com/">Go</a>')),
  good('allowed.zip', loads('<script src="https://s0.2mdn.net/ads/studio/Enabler.js"></script>')),
  good('fonts.zip', loads('<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">')),
  good('commented.zip', loads('<!-- <img src="https://cdn.example.com/a.png"> -->')),
  good('namespace.zip', loads('', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')),
  // A canonical address is stated, not loaded.
  good('canonical.zip', loads('<link rel="canonical" href="https://www.example.com/">'), { onceWrong: true }),
  good('link-and-icon.zip', loads('', '<a href="//www.example.com/a"><img src="hero.png" alt=""></a>')),
  good('image-by-script.zip', loads('<script>new Image().src = "hero.png"</script>')),
  bad('script.zip', loads('<script src="https://cdn.example.com/lib.js"></script>')),
  bad('no-scheme.zip', loads('<script src=//cdn.example.com/lib.js></script>')),
  bad('image.zip', loads('', '<img alt="" src="https://images.example.com/a.png">')),
  bad('style.zip', loads('<style>body{background:url(https://images.example.com/a.png)}</style>')),
  bad('sources.zip', loads('', '<img alt="" src="hero.png" srcset="https://images.example.com/a.png 2x">'), {
    onceWrong: true,
  }),
  bad('fetched.zip', loads('<script>fetch("https://api.example.com/price.json")</script>')),
  bad('object.zip', loads('', '<object data="https://images.example.com/a.svg"></object>'), { onceWrong: true }),
  bad('svg-image.zip', loads('', '<svg><image href="https://images.example.com/a.png"/></svg>')),
  bad('foreign-image-by-script.zip', loads('<script>new Image().src = "https://track.example.com/p"</script>')),
  bad('request.zip', loads('<script>x.open("GET", "//api.example.com/price.json")</script>')),
  bad('module.zip', loads('<script type="module">import { go } from "https://cdn.example.com/go.js"</script>')),
  bad('socket.zip', loads('<script>new WebSocket("wss://live.example.com/")</script>')),
  bad('imported.zip', loads('<style>@import url("https://css.example.com/a.css");</style>')),
  bad('unencrypted.zip', loads('<script src="http://s0.2mdn.net/ads/studio/Enabler.js"></script>')),
  bad('look-alike.zip', loads('<script src="https://s0.2mdn.net.example.com/Enabler.js"></script>')),
]
