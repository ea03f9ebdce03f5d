import { expect, expectAccessible, test } from './support/test'
import { ask, batchOfFive, choose, type Named, signIn } from './support/workspace'

test('many files are selected, decided on at once, and taken back', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { place, names } = await batchOfFive(page)
  const [first = '', , , fourth = '', fifth = ''] = names
  await ask(page, `/api${place}/submit`, undefined, 'POST')
  await page.goto(place)
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const bar = page.getByRole('region', { name: 'Selected files' })
  const step = page.getByRole('region', { name: 'Next step' })
  await expect(step.getByRole('heading', { name: '5 files to review' })).toBeVisible()

  // One, then with Shift all up to the fourth
  await box(first).click()
  await expect(bar.getByText('1 file selected')).toBeVisible()
  await box(fourth).click({ modifiers: ['Shift'] })
  await expect(bar.getByText('4 files selected')).toBeVisible()
  await expect(box(fifth)).not.toBeChecked()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('4 files approved')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(step.getByRole('heading', { name: '1 of 5 files to review' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(step.getByRole('heading', { name: '5 files to review' })).toBeVisible()

  // All by the keyboard; one reason for all
  await page.keyboard.press('Control+a')
  await expect(bar.getByText('5 files selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Reject' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reject 5 files' })
  await dialog.getByLabel('What must be fixed').fill('The claim is last year’s.')
  await dialog.getByRole('combobox').click()
  await choose(page, 'Text or spelling')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('5 files rejected')).toBeVisible()
  await expect(step.getByRole('heading', { name: 'Every file is decided' })).toBeVisible()

  // What is approved already is said before
  const { files } = await ask<{ files: Named[] }>(page, `/api${place}/files`)
  const approved = files.find(({ name }) => name === first)
  await ask(page, `/api${place}/files/${approved?.id}/review`, { decision: 'approve' })
  await expect(step.getByText('1 approved, 4 rejected')).toBeVisible()
  await page.keyboard.press('x')
  await bar.getByRole('button', { name: 'Approve' }).click()
  const question = page.getByRole('alertdialog', { name: 'Approve 4 of 5 files?' })
  await expect(question.getByText(`“${first}” is approved already.`)).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Approve 4 files' }).click()
  await expect(step.getByText('5 approved: completing approves the batch.')).toBeVisible()
})

test('files of an open batch are selected among the images and deleted', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { place, names } = await batchOfFive(page)
  await page.goto(`${place}?view=grid`)
  const bar = page.getByRole('region', { name: 'Selected files' })
  // An image that is asked for after its file was deleted is not there, which the console says.
  const images = page.locator('main img')
  await expect(images).toHaveCount(names.length)
  const isThere = (all: Element[]) => all.every((image) => (image as HTMLImageElement).naturalWidth > 0)
  await expect.poll(() => images.evaluateAll(isThere)).toBe(true)
  for (const name of names.slice(0, 2)) {
    const box = page.getByRole('checkbox', { name: `Select ${name}` })
    // Images that have just come hear no click for a moment.
    await expect(async () => {
      if (!(await box.isChecked())) await box.click()
      await expect(box).toBeChecked({ timeout: 2_000 })
    }).toPass()
  }
  await expect(bar.getByText('2 files selected')).toBeVisible()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 2 files?' })
  for (const name of names.slice(0, 2)) await expect(question.getByText(name)).toBeVisible()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByText('2 files deleted')).toBeVisible()
  await expect(page.getByText('3 files', { exact: true })).toBeVisible()
  await expect(bar).toBeHidden()
})
