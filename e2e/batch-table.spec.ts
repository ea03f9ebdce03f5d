import { randomBytes } from 'node:crypto'
import { expect, expectAccessible, test } from './support/test'
import { ask, batchOfFive, newProject, signIn } from './support/workspace'

test('batches come from the lines of a spreadsheet: mistakes are named, what they become is shown, then all are created', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Sheet ${tag}`)
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'New batch' }).click()
  await page.getByRole('button', { name: 'Create batches from a spreadsheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Batches from a spreadsheet' })
  const lines = dialog.getByLabel('Lines')
  await expect(lines).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Read the lines' }).click()
  await expect(dialog.getByText('Paste the lines of a spreadsheet, or choose a file.')).toBeVisible()

  // Each mistake with its line and column
  await lines.fill(`name\tdue\toperator\nPosters ${tag}\t31/12/2026\tNo One\nBanners ${tag}\t\t`)
  await dialog.getByRole('button', { name: 'Read the lines' }).click()
  await expect(dialog.getByText('2 mistakes: nothing was created')).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Line 2, due: “31/12/2026” is not a day' })).toBeVisible()
  await expect(
    dialog.getByRole('listitem').filter({ hasText: 'Line 2, operator: There is no active user' }),
  ).toBeVisible()
  await expectAccessible(page)

  // From a file, as Excel writes it
  const table = `name;due;operator;expected files\r\nPosters ${tag};2026-12-01;Omar Haddad;"a.jpg\nb.jpg"\r\nBanners ${tag};;;\r\n`
  await dialog
    .getByLabel('Choose a CSV file', { exact: true })
    .and(page.locator('input'))
    .setInputFiles([{ name: 'batches.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }])
  await expect(lines).toHaveValue(/2026-12-01/)
  await dialog.getByRole('button', { name: 'Read the lines' }).click()
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: name })
  await expect(row(`Posters ${tag}`)).toContainText('Omar Haddad')
  await expect(row(`Posters ${tag}`)).toContainText('2')
  await expect(row(`Banners ${tag}`)).toContainText('Any')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Back to the lines' }).click()
  await expect(lines).toHaveValue(/Posters/)
  await dialog.getByRole('button', { name: 'Read the lines' }).click()
  await dialog.getByRole('button', { name: 'Create 2 batches' }).click()
  await expect(page.getByText('2 batches created')).toBeVisible()
  await expect(dialog).toBeHidden()
  for (const name of [`Posters ${tag}`, `Banners ${tag}`])
    await expect(page.getByRole('link', { name: new RegExp(`^${name} `) })).toBeVisible()
})

test('a page whose filters changed keeps its place, and itself, when it is shown anew', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { place } = await batchOfFive(page)
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.goto(place)
  await page.evaluate(() => Reflect.set(window, 'isTheSame', true))
  const search = page.getByRole('searchbox', { name: 'Search files' })
  for (const [round, query] of ['jpg', 'jp', 'j', ''].entries()) {
    await search.fill(query)
    await page.getByRole('radio', { name: round % 2 === 0 ? 'Images' : 'Table' }).click()
    // As soon as the page is so long.
    const scrolled = () =>
      page.evaluate(() => {
        window.scrollTo(0, 200)
        return window.scrollY
      })
    await expect.poll(scrolled).toBe(200)
    await ask(page, `/api${place}`, { name: `Posters, round ${round}` }, 'PATCH')
    // While that is being shown, the address changes again.
    await page.getByRole('radio', { name: round % 2 === 0 ? 'Table' : 'Images' }).click()
    await expect(page.getByRole('heading', { name: `Posters, round ${round}` })).toBeAttached()
    expect(await page.evaluate(() => [Reflect.get(window, 'isTheSame'), window.scrollY])).toEqual([true, 200])
  }
})
