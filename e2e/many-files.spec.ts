import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type Entry, open, type ZipFile } from 'yauzl'
import { expect, expectAccessible, test } from './support/test'
import { batchOfFive, signIn } from './support/workspace'

/** What another program reads of an archive. */
async function read(path: string): Promise<Record<string, Buffer>> {
  const archive = await promisify<string, { lazyEntries: boolean }, ZipFile>(open)(path, { lazyEntries: true })
  const found: Record<string, Buffer> = {}
  await new Promise<void>((resolve, reject) => {
    archive.on('error', reject)
    archive.on('end', resolve)
    archive.on('entry', (entry: Entry) => {
      archive.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        found[entry.fileName] = Buffer.concat(chunks)
        archive.readEntry()
      })
    })
    archive.readEntry()
  })
  return found
}

test('chosen files are downloaded as one ZIP, on a desk and on a phone', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { batch, place, names } = await batchOfFive(page)
  const [first = '', second = ''] = names
  await page.goto(place)
  const bar = page.getByRole('region', { name: 'Selected files' })
  for (const name of [first, second]) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const downloading = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${batch.name}, 2 files.zip`)
  await expect(page.getByText(/Downloading 2 files, /)).toBeVisible()
  const found = await read(await download.path())
  expect(Object.keys(found)).toEqual(['SHA256SUMS', `files/${first}`, `files/${second}`])
  for (const name of [first, second]) {
    const sum = createHash('sha256')
      .update(found[`files/${name}`] ?? '')
      .digest('hex')
    expect(String(found.SHA256SUMS)).toContain(`${sum}  files/${name}\n`)
  }

  // On a phone the bar keeps within the screen, and the lesser actions are in its menu.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(bar).toBeVisible()
  expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  const again = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect(Object.keys(await read(await (await again).path()))).toHaveLength(3)
})
