import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue'
import { describeChecks } from './described'

const described = describeChecks()
const threshold = (check: string, key: string) =>
  described.find(({ id }) => id === check)?.thresholds.find((each) => each.key === key)

describe('the checks as plain data', () => {
  it('are those of the catalogue, and survive the way to a browser', () => {
    expect(described.map(({ id }) => id)).toEqual(CATALOGUE.map(({ id }) => id))
    expect(JSON.parse(JSON.stringify(described))).toEqual(described)
  })

  it('give every threshold a title, a source and the shape it is asked for in', () => {
    const thresholds = described.flatMap((check) => check.thresholds)
    expect(thresholds.filter(({ source, title, key }) => !source || title === key)).toEqual([])
    expect(threshold('resolution_check', 'min_dpi')).toMatchObject({ shape: 'number', unit: 'dpi', fallback: null })
    expect(threshold('animation_check', 'allowed')).toMatchObject({ shape: 'switch', fallback: true })
    expect(threshold('archive_check', 'nested_archives')).toMatchObject({ shape: 'maybe', fallback: null })
    expect(threshold('transparency_check', 'rule')).toMatchObject({ shape: 'choice', fallback: 'any' })
    expect(threshold('channel_layout_check', 'layouts')).toMatchObject({
      shape: 'flags',
      choices: ['mono', 'stereo', '5.1', '7.1'],
    })
    expect(threshold('dimension_check', 'sizes')).toMatchObject({ shape: 'list', fallback: [] })
    expect(threshold('frame_rate_check', 'rates')).toMatchObject({ shape: 'numbers', unit: 'frames/s' })
    expect(threshold('file_size_check', 'max_bytes_by_size')).toMatchObject({ shape: 'map', unit: 'bytes' })
  })
})
