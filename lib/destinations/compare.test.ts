import { describe, expect, it } from 'vitest'
import { compareSpecifications } from './compare'
import { Specification } from './specification'

type Asked = { check: string; thresholds?: object; clause: string; level?: 'required' | 'recommended' }

const specification = (requirements: Asked[], changes: object = {}) =>
  Specification.parse({
    id: 'own',
    version: 1,
    title: 'Own channel',
    family: 'broadcast',
    kinds: ['video'],
    source: { publisher: 'Own', document: 'Delivery', date: '2026', url: 'https://example.com/delivery' },
    maintained_by: 'Ann',
    requirements,
    ...changes,
  })
const loudness = (target_lufs: number, clause = '4.2') => ({
  check: 'loudness_check',
  thresholds: { target_lufs },
  clause,
})
const bars = { check: 'letterbox_check', thresholds: { max_percent: 1 }, clause: '3.1' }

describe('two versions of a specification', () => {
  it('differ in nothing where only the order of requirements does', () => {
    const [one, two] = [specification([loudness(-23), bars]), specification([bars, loudness(-23)], { version: 2 })]
    expect(compareSpecifications(one, two)).toEqual({ fields: [], requirements: [] })
  })

  it('differ in requirements that were changed, added and dropped', () => {
    const length = { check: 'duration_check', thresholds: { max_seconds: 30 }, clause: '2' }
    const { requirements } = compareSpecifications(
      specification([loudness(-23), bars]),
      specification([loudness(-24), length]),
    )
    expect(requirements.map(({ before, after }) => [before?.thresholds, after?.thresholds])).toEqual([
      [{ target_lufs: -23 }, { target_lufs: -24 }],
      [undefined, { max_seconds: 30 }],
      [{ max_percent: 1 }, undefined],
    ])
  })

  it('pair the requirements of one check by clause first, whatever stands between', () => {
    const { requirements } = compareSpecifications(
      specification([loudness(-23, 'a'), loudness(-24, 'b')]),
      specification([loudness(-16, 'c'), loudness(-25, 'b'), loudness(-23, 'a')]),
    )
    expect(requirements.map(({ before, after }) => [before?.clause, after?.clause])).toEqual([
      [undefined, 'c'],
      ['b', 'b'],
    ])
  })

  it('count a level and a clause as changes', () => {
    const changed = (to: object) =>
      compareSpecifications(specification([bars]), specification([{ ...bars, ...to }])).requirements
    expect(changed({ level: 'recommended' })).toMatchObject([
      { before: { level: 'required' }, after: { level: 'recommended' } },
    ])
    expect(changed({ clause: '3.2' })).toMatchObject([{ before: { clause: '3.1' }, after: { clause: '3.2' } }])
  })

  it('differ in what they say besides', () => {
    const { fields } = compareSpecifications(
      specification([bars]),
      specification([bars], { kinds: ['video', 'audio'], not_checked: ['5 Captions'] }),
    )
    expect(fields).toEqual([
      { field: 'kinds', before: 'video', after: 'video; audio' },
      { field: 'not_checked', before: '', after: '5 Captions' },
    ])
  })
})
