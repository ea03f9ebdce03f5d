import { writeFileSync } from 'node:fs'
import { describeCatalogue } from '@/lib/checks/documentation'

/** Writes `docs/checks.md` from the catalogue of checks. */
writeFileSync(new URL('../docs/checks.md', import.meta.url), describeCatalogue())
