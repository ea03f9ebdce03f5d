import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    include: ['{app,bench,components,db,lib,scripts,server}/**/*.test.{ts,tsx}'],
    globalSetup: './fixtures/cluster.ts',
    pool: 'forks',
    // One less than there are cores would be a single one where tests usually run, on two: many wait more than compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Ends what hangs, and nothing else: beside thirty other processes a test that takes ten seconds needs minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
