// `node scripts/run.mjs NAME ARGUMENTS...` runs the program of that name, as it was bundled.

import { repairPackages, requireNode } from '../server/build/installed.mjs'
import { programAddress } from '../server/build/programs.mjs'

requireNode()
repairPackages()
const [name] = process.argv.splice(2, 1)
process.env.NODE_ENV ??= 'production'
await import(programAddress(String(name)))
