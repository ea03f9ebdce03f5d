import { writeFileSync } from 'node:fs'
import { randomFrom } from '@/fixtures/random'
import { type ZipFile, zip } from '@/fixtures/zip'
import { bad, filesOf, good, type Labelled } from './labelled'

const pack = (entries: readonly ZipFile[]) => (file: string) => writeFileSync(file, zip(entries))

const SIZE = '<meta name="ad.size" content="width=300,height=250">'
const TAG = '<script>var clickTag = "https://www.example.com/";</script>'
const LINK = '<a href="javascript:window.open(window.clickTag)"><img src="hero.png" alt=""></a>'
const page = (head: string, body = LINK) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Ad</title></head><body>${body}</body></html>`
const HTML: ZipFile = ['index.html', page(SIZE + TAG)]
const HERO: ZipFile = ['hero.png', 'picture']
const ad = (head: string, body = LINK, more: readonly ZipFile[] = []) =>
  pack([['index.html', page(head, body)], HERO, ...more])

function packing(): Labelled[] {
  const files = (count: number) =>
    pack([HTML, ...Array.from({ length: count - 1 }, (_, index): ZipFile => [`assets/${index}.txt`, `${index}`])])
  const unpacked = (bytes: number) => pack([HTML, ['filler.txt', Buffer.alloc(bytes - Buffer.byteLength(HTML[1]), 65)]])
  return filesOf(
    'archive_check',
    [
      good('plain.zip', pack([HTML, HERO])),
      good('two-pages.zip', pack([HTML, ['end.html', page('')]])),
      good('ten-files.zip', files(10)),
      good('full.zip', unpacked(50_000)),
      good(
        'source.zip',
        pack([
          ['fonts/a.ttf', 'font'],
          ['more.zip', zip([HERO])],
        ]),
        { thresholds: {} },
      ),
      bad('eleven-files.zip', files(11)),
      bad('too-full.zip', unpacked(50_001)),
      bad('in-a-folder.zip', pack([['ad/index.html', HTML[1]]])),
      bad(
        'which-page.zip',
        pack([
          ['a.html', HTML[1]],
          ['b.html', HTML[1]],
        ]),
      ),
      bad('nested.zip', pack([HTML, ['more.zip', zip([HERO])]])),
      bad('litter-mac.zip', pack([HTML, ['__MACOSX/._index.html', 'x']])),
      bad('litter-store.zip', pack([HTML, ['images/.DS_Store', 'x']])),
      bad('one-name-twice.zip', pack([HTML, ['Hero.png', 'a'], ['hero.png', 'b']])),
    ],
    { thresholds: { entry_point: 'required', max_files: 10, max_unpacked_bytes: 50_000 } },
  )
}

function adSizes(): Labelled[] {
  const meta = (tag: string) => ad(tag + TAG)
  const named = { template: '{title}_{width}x{height}.{ext}', thresholds: {} }
  return filesOf(
    'ad_size_check',
    [
      good('stated.zip', meta(SIZE)),
      good('spaced.zip', meta("<META NAME='ad.size' CONTENT='width=728, height=90' />")),
      good('turned-round.zip', meta('<meta content="width=300,height=250" name="ad.size">')),
      good('ad_300x250.zip', meta(SIZE), named),
      bad('none.zip', meta('')),
      bad('other.zip', meta('<meta name="ad.size" content="width=300,height=251">')),
      bad('unreadable.zip', meta('<meta name="ad.size" content="300x250">')),
      bad('commented.zip', meta(`<!-- ${SIZE} -->`)),
      bad('ad_728x90.zip', meta(SIZE), named),
    ],
    { thresholds: { sizes: ['300x250', '728x90'] } },
  )
}

function clickTags(): Labelled[] {
  const script = (text: string) => ad(`${SIZE}<script>${text}</script>`)
  return filesOf('click_tag_check', [
    good('var.zip', ad(SIZE + TAG)),
    good('capitals.zip', script('var clickTAG="https://www.example.com/";')),
    good('window.zip', script("window['clickTag'] = 'https://www.example.com/'")),
    good('enabler.zip', script('function go(){ Enabler.exit("Background") }')),
    good('exit-api.zip', script('document.onclick = () => ExitApi.exit()')),
    bad('none.zip', ad(SIZE)),
    bad('read-only.zip', script('document.onclick = () => window.open(window.clickTag)')),
    bad('compared.zip', script('if (window.clickTag == "") alert(1)')),
    bad('commented.zip', ad(`${SIZE}<!-- ${TAG} -->`)),
    bad('commented-script.zip', script('// var clickTag = "https://www.example.com/";')),
    bad('hard-coded.zip', ad(SIZE, '<a href="https://www.example.com/">Go</a>')),
  ])
}

function requests(): Labelled[] {
  const loads = (html: string, body = LINK) => ad(SIZE + TAG + html, body)
  return filesOf('external_request_check', [
    good('none.zip', loads('<script src="main.js"></script>')),
    good('link.zip', loads('', '<a href="https://www.example.com/">Go</a>')),
    good('allowed.zip', loads('<script src="https://s0.2mdn.net/ads/studio/Enabler.js"></script>')),
    good('fonts.zip', loads('<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">')),
    good('commented.zip', loads('<!-- <img src="https://cdn.example.com/a.png"> -->')),
    good('namespace.zip', loads('', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')),
    // A canonical address is stated, not loaded.
    good('canonical.zip', loads('<link rel="canonical" href="https://www.example.com/">')),
    bad('script.zip', loads('<script src="https://cdn.example.com/lib.js"></script>')),
    bad('no-scheme.zip', loads('<script src=//cdn.example.com/lib.js></script>')),
    bad('picture.zip', loads('', '<img alt="" src="https://images.example.com/a.png">')),
    bad('style.zip', loads('<style>body{background:url(https://images.example.com/a.png)}</style>')),
    bad('sources.zip', loads('', '<img alt="" src="hero.png" srcset="https://images.example.com/a.png 2x">')),
    bad('fetched.zip', loads('<script>fetch("https://api.example.com/price.json")</script>')),
    bad('imported.zip', loads('<style>@import url("https://css.example.com/a.css");</style>')),
    bad('unencrypted.zip', loads('<script src="http://s0.2mdn.net/ads/studio/Enabler.js"></script>')),
    bad('look-alike.zip', loads('<script src="https://s0.2mdn.net.example.com/Enabler.js"></script>')),
  ])
}

function backups(): Labelled[] {
  const random = randomFrom(20)
  const noise = Buffer.from(Array.from({ length: 40_001 }, () => Math.floor(random() * 256)))
  const still = (path: string, bytes = 40_000, more: readonly ZipFile[] = []) =>
    pack([HTML, [path, noise.subarray(0, bytes)], ...more])
  return filesOf('backup_image_check', [
    good('backup.zip', still('backup.jpg')),
    good('named.zip', still('300x250_fallback.png', 12_000, [['hero.png', 'a']])),
    good('only-one.zip', still('still.gif', 12_000)),
    bad('none.zip', pack([HTML])),
    bad('heavy.zip', still('backup.jpg', 40_001)),
    bad('which.zip', still('a.png', 900, [['b.png', 'x']])),
    bad('deep.zip', pack([HTML, ['images/a.png', 'x']])),
    bad('other-type.zip', still('backup.webp', 900)),
  ])
}

export const ARCHIVES: Labelled[] = [...packing(), ...adSizes(), ...clickTags(), ...requests(), ...backups()]
