import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    include: ['{app,bench,components,db,lib,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: './db/testing-cluster.ts',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
