import { ad as running } from '../ad-files'
import { ad, SIZE, TAG } from '../archive-files'
import { bad, good, sharing } from '../files'

const script = (text: string) => ad(`${SIZE}<script>${text}</script>`)

/** As the handbook of OVK and the library of Adform have it: the click tag comes with the address of the ad. */
const FROM_ADDRESS =
  'const given = Object.fromEntries(location.search.slice(1).split("&").map((pair) => pair.split("=").map(decodeURIComponent)));'
const ADFORM = 'const target = dhtml.getVar("clickTAG", "https://www.example.com/");'

/** An ad that is clicked, with a script or link of its own in place of the handler that the others have. */
const clicked = (head: string, body: string, more = '') =>
  ad(
    SIZE + head,
    `<div style="position:relative;width:300px;height:250px;background:#fed">${body}</div><script>${more}</script>`,
  )
const onClick = (what: string) => `document.addEventListener("click", () => { ${what} });`
const over = (href: string) => `<a href="${href}" style="position:absolute;inset:0">Go</a>`

const CLICKED = sharing({ runs: true }, [
  good('clicked.zip', running()),
  good('clicked-address.zip', clicked('', '<p>Spring</p>', FROM_ADDRESS + onClick('open(given.clicktag)')), {
    onceWrong: true,
  }),
  good('clicked-constant.zip', clicked(TAG, '<p>Spring</p>', `const to = clickTag; ${onClick('open(to)')}`)),
  bad('clicked-nothing.zip', clicked(TAG, '<p>Spring</p>')),
  bad('clicked-undefined.zip', clicked('', '<p>Spring</p>', onClick('open(window.clickTag)'))),
  bad('clicked-elsewhere.zip', clicked(TAG, over('https://shop.example/spring'))),
  bad('clicked-link-of-the-same.zip', clicked(TAG, over('https://www.example.com/')), { onceWrong: true }),
  bad('clicked-script-of-the-same.zip', clicked(TAG, '<p>Spring</p>', onClick('open("https://www.example.com/")'))),
])

export const FILES = [
  good('var.zip', ad(SIZE + TAG)),
  good('capitals.zip', script('var clickTAG="https://www.example.com/";')),
  good('window.zip', script("window['clickTag'] = 'https://www.example.com/'")),
  good('enabler.zip', script('function go(){ Enabler.exit("Background") }')),
  good('exit-api.zip', script('document.onclick = () => ExitApi.exit()')),
  good('list.zip', script('var width = 300, clickTag = "https://www.example.com/";')),
  good('bare.zip', script('clickTag = "https://www.example.com/";'), { onceWrong: true }),
  good('self.zip', script('self.clickTag = "https://www.example.com/";')),
  good('numbered.zip', script('var clickTag1 = "https://www.example.com/", clickTag2 = "https://www.example.com/b";')),
  good('address.zip', script(`${FROM_ADDRESS} document.onclick = () => open(given.clicktag)`), { onceWrong: true }),
  good('adform.zip', script(`${ADFORM} document.onclick = () => open(target)`)),
  bad('none.zip', ad(SIZE)),
  bad('read-only.zip', script('document.onclick = () => window.open(window.clickTag)')),
  bad('compared.zip', script('if (window.clickTag == "") alert(1)')),
  bad('commented.zip', ad(`${SIZE}<!-- ${TAG} -->`)),
  bad('commented-script.zip', script('// var clickTag = "https://www.example.com/";'), { onceWrong: true }),
  bad('default.zip', script('document.onclick = () => open(window.clickTag || "https://www.example.com/")')),
  bad('other-variable.zip', script('var onClickTagging = "https://www.example.com/", clickTags = 2;')),
  bad('address-of-something-else.zip', script('const lang = location.search; document.onclick = () => open(clickTag)')),
  bad('hard-coded.zip', ad(SIZE, '<a href="https://www.example.com/">Go</a>')),
  ...CLICKED,
]
