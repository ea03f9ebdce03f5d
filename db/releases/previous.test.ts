import { describe, expect, it } from 'vitest'
import { testSql, withTestDatabase } from '@/db/testing'
import { failuresOf, previousRelease } from './previous'

const { version, statements } = previousRelease()

describe(`release ${version} on the schema of this version`, () => {
  it('runs every statement that its suite of requests made', async () => {
    const texts = statements.map(({ text }) => text.toLowerCase())
    for (const [verb, least] of Object.entries({
      'select ': 100,
      'insert into ': 30,
      'update ': 30,
      'delete from ': 10,
    }))
      expect(texts.filter((text) => text.startsWith(verb)).length, verb).toBeGreaterThan(least)
    const failures = await failuresOf(testSql, statements)
    expect(failures.map(({ text, reason }) => `${reason}: ${text.slice(0, 200)}`)).toEqual([])
  })

  it.each([
    ['ALTER TABLE projects DROP COLUMN name', /column .*"?name"? .*does not exist/],
    ['ALTER TABLE files RENAME TO documents', /relation "files" does not exist/],
    ['ALTER TABLE batches ADD COLUMN needed integer NOT NULL', /null value in column "needed"/],
    ['ALTER TABLE users ALTER COLUMN name SET DATA TYPE integer USING 0', /invalid input syntax for type integer/],
    ["ALTER TABLE projects ADD CONSTRAINT narrower CHECK (name = '')", /violates check constraint "narrower"/],
  ])('would not survive: %s', async (migration, reason) => {
    await withTestDatabase(async ({ sql }) => {
      await sql.unsafe(migration)
      const failures = await failuresOf(sql, statements)
      expect(failures.map((failure) => failure.reason)).toEqual(expect.arrayContaining([expect.stringMatching(reason)]))
    })
  })
})
