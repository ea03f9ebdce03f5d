// `npm start` and, with --dev, `npm run dev`. What comes after the installation is TypeScript: see server/supervisor/supervise.ts.

import { ensureInstalled, requireNode, root } from '../server/build/installed.mjs'
import { areProgramsCurrent, programAddress } from '../server/build/programs.mjs'

requireNode()
process.chdir(root)
const dev = process.argv.includes('--dev')
// What was built may run without the packages that only building needs.
if (dev || !areProgramsCurrent()) ensureInstalled()
const { supervise } = await (dev ? fromSource() : import(programAddress('supervisor')))
await supervise({ dev })

async function fromSource() {
  const { register } = await import('tsx/esm/api')
  register()
  return import('../server/supervisor/supervise.ts')
}
