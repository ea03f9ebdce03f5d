import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type driver from 'postgres'

// The package itself: an import of it leads here while statements are recorded (scripts/release-statements.ts).
const postgres = createRequire(import.meta.url)('postgres') as typeof driver

const seen = new Set<string>()

/** The driver, which writes down each statement of the product's own pools with the values it was first given. */
function recording(url: string, options: driver.Options<Record<string, never>> = {}) {
  const isProduct = options.connection?.application_name === 'greenroom'
  return postgres(url, isProduct ? { ...options, debug: note } : options)
}

function note(_: number, text: string, parameters: unknown[]) {
  if (seen.has(text)) return
  seen.add(text)
  const values = JSON.stringify({ text, parameters }, (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  appendFileSync(path.join(process.env.GREENROOM_STATEMENTS ?? '', `${process.pid}.jsonl`), `${values}\n`)
}

export default Object.assign(recording, postgres)
