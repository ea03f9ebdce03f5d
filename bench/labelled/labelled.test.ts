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
const ONCE_WRONG: Readonly<Record<string, readonly string[]>> = {
  colour_space_check: ['by-its-colours.png', 'unnamed-adobe.png', 'rgb.pdf', 'words.pdf', 'inline.pdf', 'form.pdf'],
  transparency_check: ['unused.png', 'unused.gif', 'over.gif', 'taken-away.gif', 'drawing.svg', 'indirect-alpha.pdf'],
  compression_check: ['pixel-art.png'],
  animation_check: ['undelayed.gif', 'undelayed-long.gif'],
  metadata_privacy_check: ['date-only.jpg', 'xmp-position.jpg', 'camera.heic', 'position.heic'],
  frame_rate_check: ['29.97.webm'],
  archive_check: ['in-a-folder.zip'],
  ad_size_check: ['commented.zip'],
  click_tag_check: ['commented-script.zip'],
  external_request_check: ['canonical.zip', 'sources.zip'],
  page_size_check: ['user-unit.pdf', 'user-unit-large.pdf'],
  pdfx_check: ['x1a-2001.pdf', 'x1-without-a.pdf', 'intent-of-pdfa.pdf'],
  spot_colour_check: ['by-reference.pdf', 'indexed.pdf'],
}

describe.each(Object.entries(ONCE_WRONG))('%s, on its way from the file to the verdict', (check, names) => {
  test.each(names)('%s is evaluated as it was made', async (name) => {
    const labelled = LABELLED.find((each) => each.check === check && each.name === name)
    if (!labelled) throw new Error(`The labelled set has no ${name} for ${check}.`)
    const { verdict, told } = await evaluate(labelled)
    expect(verdict, told).toBe('right')
  })
})

test('every check of the catalogue has at least three sound and three faulty files', () => {
  const few = CHECK_IDS.filter((id) => {
    const files = LABELLED.filter(({ check }) => check === id)
    const faulty = files.filter(({ isFaulty }) => isFaulty).length
    return faulty < 3 || files.length - faulty < 3
  })
  expect(few).toEqual([])
})

test('every labelled file can be told from the others of its check', () => {
  const names = LABELLED.map(({ check, name }) => `${check}/${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
