import { ad, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const script = (text: string) => ad({ script: text })

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('never-called.zip', script('function later() { document.cookie = "a=1"; localStorage.a = 1; eval("1") }')),
  good(
    'asks-whether-it-is-there.zip',
    script('if ("localStorage" in window && "geolocation" in navigator) console.log("there");'),
  ),
  good('functions-as-timers.zip', script('setTimeout(() => console.log("now"), 200); JSON.parse("{}");')),
  good('writes-text.zip', script(onLoad('document.body.append("written")'))),
  good('storage-allowed.zip', script('localStorage.seen = "1";'), { thresholds: { forbidden: ['eval', 'cookies'] } }),
  bad('document-write.zip', ad({ body: '<script>document.write("<p>Spring</p>")</script>' })),
  bad('eval.zip', script('const sum = eval("1 + 1"); console.log(sum);')),
  bad('new-function.zip', script('console.log(new Function("return 2")());')),
  bad('timer-with-text.zip', script('setTimeout("console.log(1)", 100);')),
  bad('cookie-set.zip', script('document.cookie = "seen=1";')),
  bad('cookie-read.zip', script(onLoad('console.log(document.cookie.length)'))),
  bad('local-storage.zip', script('localStorage.setItem("seen", "1");')),
  bad('session-storage.zip', script('sessionStorage.seen = "1";')),
  bad('indexed-db.zip', script('indexedDB.open("ad");')),
  bad('geolocation.zip', script('navigator.geolocation.getCurrentPosition(() => {}, () => {});')),
  bad(
    'in-a-frame.zip',
    ad(
      { body: '<iframe title="Inner" src="inner.html" width="300" height="250"></iframe>' },
      { 'inner.html': '<!doctype html><title>Inner</title><script>localStorage.seen = "1";</script>' },
    ),
  ),
])
