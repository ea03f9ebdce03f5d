import { ad, moving, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('moving.zip', moving('m 1s 1 forwards')),
  good('looks-on-click.zip', ad({ script: 'document.addEventListener("click", () => console.log("clicked"));' })),
  bad('dialog.zip', ad({ script: 'alert("hello");' })),
  bad('window.zip', ad({ script: onLoad('window.open("https://www.example.com/")') })),
  bad('leaves.zip', ad({ script: onLoad('location.href = "https://www.example.com/"') })),
  bad('never-ends.zip', ad({ script: 'for (;;) {}' })),
])
