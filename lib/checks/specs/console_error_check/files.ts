import { ad } from '../ad-files'
import { bad, good, sharing } from '../files'

export const FILES = sharing({ runs: true }, [
  good('silent.zip', ad()),
  good('logs.zip', ad({ script: 'console.log("ready"); console.warn("slow");' })),
  good('caught.zip', ad({ script: 'try { none() } catch {}' })),
  bad('thrown.zip', ad({ script: 'setTimeout(() => { throw new Error("broken") }, 50);' })),
  bad('said.zip', ad({ script: 'console.error("no feed");' })),
  bad('rejected.zip', ad({ script: 'Promise.reject(new Error("no response"));' })),
])
