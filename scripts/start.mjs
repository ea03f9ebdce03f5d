// `npm start` and, with --dev, `npm run dev`. What comes after the installation is TypeScript: see supervisor.ts.
import { ensureInstalled, requireNode, root } from './installed.mjs'

requireNode()
process.chdir(root)
ensureInstalled()
const { register } = await import('tsx/esm/api')
register()
const { supervise } = await import('./supervisor.ts')
await supervise({ dev: process.argv.includes('--dev') })
