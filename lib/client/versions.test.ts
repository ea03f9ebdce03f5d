import { describe, expect, it } from 'vitest'
import { theirChanges, withMyChanges, withTheirChanges } from './versions'

const filled = { name: 'Banners', due: '', operator: 'omar', copy: ['Now'] }

describe('three versions of a form', () => {
  const versions = {
    filled,
    mine: { ...filled, name: 'Mine', copy: ['Now or never'] },
    theirs: { ...filled, name: 'Theirs', operator: 'olga' },
  }

  it('know what another user changed', () => {
    expect(theirChanges(versions)).toEqual(['name', 'operator'])
  })

  it('do not conflict where nothing was changed, or the same', () => {
    expect(theirChanges({ filled, mine: versions.mine, theirs: { ...filled, copy: ['Now'] } })).toEqual([])
    expect(theirChanges({ filled, mine: versions.mine, theirs: { ...filled, name: 'Mine' } })).toEqual([])
  })

  it('become theirs with the rest of mine', () => {
    expect(withTheirChanges(versions)).toEqual({ name: 'Theirs', due: '', operator: 'olga', copy: ['Now or never'] })
  })

  it('become mine without undoing what I never touched', () => {
    expect(withMyChanges(versions)).toEqual({ name: 'Mine', due: '', operator: 'olga', copy: ['Now or never'] })
  })
})
