import path from 'node:path'
import { buildIfStale } from '@/server/build/build'

try {
  const built = await buildIfStale(process.cwd(), path.join('.next', 'cache', 'greenroom-build.log'))
  console.log(built ? 'Built.' : 'The build is up to date.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
