import { describe, expect, it } from 'vitest'
import { parseManifest } from '@/components/batches/manifest-lines'
import type { Batch } from '@/lib/domain/batches/schema'
import { takeOver } from './same-as'

const batch = (given: Partial<Batch> = {}) =>
  ({
    media_category: { id: 'category', name: 'Banners' },
    operator: { id: 'operator', name: 'Omar' },
    coordinator: null,
    naming_template: '{title}.{ext}',
    required_copy: ['Drink responsibly', '18+'],
    destinations: null,
    due: null,
    created_at: '2026-03-01T23:30:00.000Z',
    ...given,
  }) as Batch
const NOW = Date.parse('2026-11-25T10:00:00Z')
const none = { files: [] }

describe('what a new batch takes over', () => {
  it('is category, people, naming template and required copy', () => {
    expect(takeOver(batch(), none, [], NOW)).toEqual({
      media_category_id: 'category',
      operator_id: 'operator',
      coordinator_id: null,
      naming_template: '{title}.{ext}',
      destinations: null,
      due_on: '',
      manifest: '',
      required_copy: 'Drink responsibly\n18+',
    })
  })

  it('is due as many days from today as the other was after it was created', () => {
    const due = (on: string) => takeOver(batch({ due: { on, state: 'met' } }), none, [], NOW).due_on
    expect(due('2026-03-15')).toBe('2026-12-09')
    expect(due('2026-03-01')).toBe('2026-11-25')
    // Due before it was created: a day that says nothing about the next.
    expect(due('2026-02-27')).toBe('')
  })

  it('leaves out destinations that were withdrawn', () => {
    expect(takeOver(batch({ destinations: ['a', 'b'] }), none, ['b'], NOW).destinations).toEqual(['a'])
  })

  it('has the expected files as they are read again', () => {
    const files = [
      { name: 'a.png', note: null },
      { name: 'b, c; "d".png', note: 'Cover, wide' },
      { name: 'e.png', note: 'Back' },
    ]
    const listed = files.map((file) => ({ ...file, status: 'missing' as const }))
    expect(parseManifest(takeOver(batch(), { files: listed }, [], NOW).manifest)).toEqual(files)
  })
})
