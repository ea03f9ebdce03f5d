import { randomBytes } from 'node:crypto'
import { expect, expectAccessible, test } from './support/test'
import { ask, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

test('the palette finds a file, a batch and an estimate, from the review room too; c opens the form each time', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Findable ${tag}`)
  const batches = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, batches, {
    name: `Batch ${tag}`,
  })
  await sendFile(page, `${batches}/${batch.id}/files`, {
    name: `hero_${tag}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await photo(300, 200),
  })

  const search = page.getByRole('combobox', { name: 'Search and commands' })
  await page.keyboard.press('Control+k')
  await search.fill(tag)
  await expect(page.getByRole('option', { name: new RegExp(`^Findable ${tag}`) })).toBeVisible()
  await expect(page.getByRole('option', { name: new RegExp(`^Batch ${tag}`) })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('option', { name: new RegExp(`^hero_${tag}`) }).click()
  await page.waitForURL(new RegExp(`/batches/${batch.id}#file=`))

  await page.goto(`/projects/${project.id}/batches/${batch.id}/review`)
  await expect(page.getByRole('heading', { name: `Batch ${tag}` })).toBeVisible()
  await page.keyboard.press('Control+k')
  await search.fill(`Findable ${tag}`)
  await page.getByRole('option', { name: new RegExp(`^Findable ${tag}`) }).click()
  await page.waitForURL(`/projects/${project.id}`)

  await page.keyboard.press('Control+k')
  await search.fill(tag)
  await page.getByRole('option', { name: `Search everything for “${tag}”` }).click()
  await page.waitForURL(`/search?q=${tag}`)
  await expect(page.getByRole('link', { name: `hero_${tag}.jpg` })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/search?q=${tag}&kind=batch`)
  await expect(page.getByRole('link', { name: `Batch ${tag}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `hero_${tag}.jpg` })).toBeHidden()
  await page.goto('/projects')

  const form = page.getByRole('dialog', { name: 'New project' })
  await page.getByRole('heading', { level: 1 }).click()
  // A page that has just come hears no keys for a moment.
  await expect(async () => {
    await page.keyboard.press('c')
    await expect(form).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press('c')
    await expect(form).toBeVisible()
    await expect(page).toHaveURL('/projects')
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
  }
})
