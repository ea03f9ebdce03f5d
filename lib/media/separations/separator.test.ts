import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { pdf } from '@/fixtures/pdf'
import { drawPage } from '../decode/pdf-page'
import { closeSeparator, separatePdf } from './separator'

const folder = mkdtempSync(path.join(tmpdir(), 'separator-'))
afterAll(() => {
  closeSeparator()
  rmSync(folder, { recursive: true, force: true })
})

it('separates in a process of its own, and says what it cannot read', async () => {
  const file = path.join(folder, 'page.pdf')
  writeFileSync(file, pdf({ pages: [{ content: '0.4 0 0 0 k 0 0 600 850 re f' }] }))
  const { separated, pdf: made } = await separatePdf(file, 1, 0)
  expect(separated).toMatchObject({ plates: [{ name: 'Cyan' }, {}, {}, {}] })
  const bytes = await buffer(made?.body ?? Readable.from([]))
  expect(bytes).toHaveLength(made?.size ?? 0)
  const plate = path.join(folder, 'plate.pdf')
  writeFileSync(plate, bytes)
  expect((await drawPage(plate)).data[0]).toBe(153)

  expect((await separatePdf(file, 1, null)).pdf).toBeNull()
  expect(await separatePdf(file, 1, 4)).toEqual({ separated: { missing: 'plate' }, pdf: null })
  writeFileSync(file, 'no PDF')
  expect((await separatePdf(file, 1, 0)).separated).toEqual({ refused: expect.stringContaining('damaged') })
})
