// Writes which characters a PDF can show into lib/pdf/coverage-table.ts; run it when a typeface changes.
import { writeFileSync } from 'node:fs'
import { packed } from '@/lib/pdf/coverage'
import { coveredCodePoints } from '@/lib/pdf/fonts'

const table = packed(await coveredCodePoints())
const said = '/** What the typefaces of a printed page have between them; written by scripts/font-coverage.ts. */'
writeFileSync('lib/pdf/coverage-table.ts', `${said}\nexport const COVERED =\n  '${table}'\n`)
