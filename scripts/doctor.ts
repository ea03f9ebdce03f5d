// `npm run doctor [-- --quick] [--fix] [--json]`: examines the service (lib/maintenance/doctor). Ends with 1 on a problem.
import { parseArgs } from 'node:util'
import { closeDatabase } from '@/db/client'
import { env } from '@/lib/env'
import { examine } from '@/lib/maintenance/doctor/doctor'
import { asJson, asText } from '@/lib/maintenance/doctor/report'
import { newContext } from '@/lib/service'

const flag = { type: 'boolean', default: false } as const
try {
  const { values } = parseArgs({ options: { quick: flag, fix: flag, json: flag } })
  const ctx = newContext({ actor: { type: 'system', name: 'Doctor' }, requestId: 'doctor' })
  const isWatched = process.stderr.isTTY && !values.json
  const onProgress = (sentence: string) => isWatched && process.stderr.write(`${sentence} ...\r`)
  const findings = await examine({ ctx, env, isQuick: values.quick, onProgress }, { repairs: values.fix })
  const result = asJson(findings)
  console.log(values.json ? JSON.stringify(result, null, 2) : asText(findings))
  if (!result.ok) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await closeDatabase()
}
