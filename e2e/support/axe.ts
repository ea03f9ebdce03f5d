import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { Result, RunOptions } from 'axe-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong on the page. It is loaded once for each document and reports violations only: a story asks some
 * twenty times, and @axe-core/playwright, which loads it anew into the page and into a second one, takes 2 s each time
 * where this takes 0.2. Frames hold files of agencies, whose content is not the product's.
 */
export async function axeViolations(page: Page, options: RunOptions = {}, exclude: string[] = []): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  return page.evaluate(
    async ({ exclude, options }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const context = exclude.length > 0 ? { exclude } : document
      const { violations } = await axe.run(context, { ...options, resultTypes: ['violations'], iframes: false })
      return violations
    },
    { exclude, options },
  )
}
