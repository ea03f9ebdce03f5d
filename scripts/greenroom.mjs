#!/usr/bin/env node
// `npx greenroom check FILE...`: the engine without the server. Its files are named from where it was called.

import { repairPackages, requireNode, root } from '../server/build/installed.mjs'
import { programAddress } from '../server/build/programs.mjs'

requireNode()
repairPackages()
const address = programAddress('greenroom')
process.env.NODE_ENV ??= 'production'
const { main } = await import(address)
const from = process.cwd()
// Decoders are started from the product's own folder.
process.chdir(root)
await main(process.argv.slice(2), from)
