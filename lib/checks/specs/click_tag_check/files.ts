import { ad, SIZE, TAG } from '../archive-files'
import { bad, good } from '../files'

const script = (text: string) => ad(`${SIZE}<script>${text}</script>`)

export const FILES = [
  good('var.zip', ad(SIZE + TAG)),
  good('capitals.zip', script('var clickTAG="https://www.example.com/";')),
  good('window.zip', script("window['clickTag'] = 'https://www.example.com/'")),
  good('enabler.zip', script('function go(){ Enabler.exit("Background") }')),
  good('exit-api.zip', script('document.onclick = () => ExitApi.exit()')),
  bad('none.zip', ad(SIZE)),
  bad('read-only.zip', script('document.onclick = () => window.open(window.clickTag)')),
  bad('compared.zip', script('if (window.clickTag == "") alert(1)')),
  bad('commented.zip', ad(`${SIZE}<!-- ${TAG} -->`)),
  bad('commented-script.zip', script('// var clickTag = "https://www.example.com/";'), { onceWrong: true }),
  bad('hard-coded.zip', ad(SIZE, '<a href="https://www.example.com/">Go</a>')),
]
