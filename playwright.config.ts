import { defineConfig, devices } from '@playwright/test'
import { chromiumPath } from './e2e/support/chromium'

const report = process.env.GREENROOM_STORIES_REPORT

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: './test-results',
  reporter: [['list'], ...(report ? [['json', { outputFile: report }] as const] : [])],
  // The stories share one running product: each makes its own project, so that they may run side by side.
  fullyParallel: true,
  workers: 2,
  // One story that fails on a crowded machine does not hide what the other eighty say: `npm test` names it, and fails
  // when there are more than two of them.
  retries: 1,
  forbidOnly: true,
  // Ends what hangs, and judges no speed: on a busy machine a healthy story of half a minute has taken four.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en-GB',
    timezoneId: 'UTC',
    // What is not there for a minute does not come: the story says which.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    screenshot: 'only-on-failure',
    // A trace of every story, kept or not, is a third of the stories' time: `--trace on` for the one to be read.
    trace: 'off',
    launchOptions: {
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-gpu'],
      env: { ...(process.env as Record<string, string>), ...JSON.parse(process.env.GREENROOM_CHROMIUM_ENV ?? '{}') },
    },
  },
})
