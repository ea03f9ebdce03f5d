import { afterAll, describe, expect, test } from 'vitest'
import { CHECK_IDS } from '@/lib/checks/catalogue'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { LABELLED } from '.'
import { evaluate } from './evaluate'

afterAll(() => {
  closeInspector()
  closeMeasurer()
})

/** Of each kind of mistake the engine once made, the smallest file that shows it. The whole set is `npm run bench:verdicts`. */
describe('what was once wrong, on its way from the file to the verdict', () => {
  test.each(LABELLED.filter(({ onceWrong }) => onceWrong))(
    '$check: $name is evaluated as it was made',
    async (file) => {
      const { verdict, report } = await evaluate(file)
      expect(verdict, report).toBe('right')
    },
  )
})

test('every check of the catalogue has at least three good and three faulty files', () => {
  const few = CHECK_IDS.filter((id) => {
    const files = LABELLED.filter(({ check }) => check === id)
    const faulty = files.filter(({ isFaulty }) => isFaulty).length
    return faulty < 3 || files.length - faulty < 3
  })
  expect(few).toEqual([])
})

test('every labelled file can be distinguished from the others of its check', () => {
  const names = LABELLED.map(({ check, name }) => `${check}/${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
