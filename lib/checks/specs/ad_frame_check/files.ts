import { ad, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const script = (text: string, files: Record<string, string> = {}) => ad({ script: text }, files)
const inSafeFrame = (text: string) => script(`if (window.$sf && $sf.ext) { ${text} }`)
const register = '$sf.ext.register(300, 250, () => {});'

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('asks-whether-framed.zip', script('if (window.top !== window.self) document.title = "Framed";')),
  good(
    'reaches-and-catches.zip',
    script('let host = ""; try { host = top.location.href } catch { host = document.referrer }'),
  ),
  good('sends-messages.zip', script('parent.postMessage({ ready: true }, "*");')),
  good(
    'top-of-a-style.zip',
    script(
      'const box = document.body.getBoundingClientRect(); const at = { top: box.top, parent: 1 }; console.log(at.top.toFixed(), at.parent.toString());',
    ),
  ),
  good(
    'leaves-on-click.zip',
    script('document.querySelector("p").addEventListener("click", () => { window.top.location = window.clickTag });'),
  ),
  good(
    'registers.zip',
    inSafeFrame(
      `${register} console.log($sf.ext.geom().exp.r, $sf.ext.supports("exp-ovr"), $sf.ext.inViewPercentage());`,
    ),
  ),
  good(
    'expands-on-click.zip',
    inSafeFrame(`${register} document.addEventListener("click", () => $sf.ext.expand({ r: 200, b: 100 }));`),
  ),
  bad('reads-the-page.zip', script('document.title = window.top.document.title;')),
  bad('reads-the-address.zip', script(onLoad('console.log(parent.location.href)'))),
  bad('by-another-name.zip', script('const host = window["parent"]; host.document.body.style.margin = 0;')),
  bad('resizes-its-frame.zip', script('if (window.top !== window) window.frameElement.style.height = "500px";')),
  bad(
    'in-a-file.zip',
    ad(
      { body: '<p>Spring</p><script src="lib/host.js"></script>' },
      { 'lib/host.js': 'parent.document.body.append("Spring")' },
    ),
  ),
  bad(
    'leaves-the-page.zip',
    script('if (window.top !== window) window.top.location.href = "https://www.example.com/";'),
  ),
  bad('takes-safeframe-for-granted.zip', script(`${register}`)),
  bad('takes-the-window-for-granted.zip', script('window.$sf.ext.register(300, 250, () => {});')),
  good(
    'a-file-with-an-extension.zip',
    script('const file = { ext: "png" }; if (parent.postMessage) console.log(file.ext);'),
  ),
  bad('expands-unregistered.zip', inSafeFrame('document.title = $sf.ext.status(); $sf.ext.collapse();')),
  bad('expands-at-once.zip', inSafeFrame(`${register} $sf.ext.expand({ r: 200, b: 100 });`)),
  bad('expands-too-far.zip', inSafeFrame(`${register} $sf.ext.expand({ l: 400 });`)),
])
