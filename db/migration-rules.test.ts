import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LAST_WITHOUT_RULE, problemsOf } from './migration-rules'
import { previousRelease } from './releases/previous'

const { entries } = JSON.parse(readFileSync('db/migrations/meta/_journal.json', 'utf8')) as {
  entries: { tag: string }[]
}
const tags = entries.map(({ tag }) => tag)

describe('the version before survives', () => {
  it('each migration made since there is a rule', () => {
    expect(tags).toContain(LAST_WITHOUT_RULE)
    const { version } = previousRelease()
    const problems = tags
      .slice(tags.indexOf(LAST_WITHOUT_RULE) + 1)
      .flatMap((tag) =>
        problemsOf(readFileSync(`db/migrations/${tag}.sql`, 'utf8'), version).map((problem) => `${tag}: ${problem}`),
      )
    expect(problems).toEqual([])
  })

  it.each([
    'CREATE TABLE "a" ("id" uuid PRIMARY KEY NOT NULL, "b" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "a_b" ON "a" USING btree ("b");--> statement-breakpoint\nALTER TABLE "a" ADD CONSTRAINT "a_fk" FOREIGN KEY ("b") REFERENCES "public"."files"("id");',
    'ALTER TABLE "files" ADD COLUMN "note" text;',
    'ALTER TABLE "files" ADD COLUMN "pages" integer DEFAULT 0 NOT NULL;',
    `ALTER TABLE "files" ADD COLUMN "note" text DEFAULT 'drop table; rename' NOT NULL;`,
    'ALTER TABLE "files" ADD COLUMN "most" bigint;--> statement-breakpoint\nALTER TABLE "files" ADD CONSTRAINT "files_most" CHECK ("files"."most" > 0);',
    'ALTER TABLE "files" ALTER COLUMN "note" DROP NOT NULL;',
    'ALTER TABLE "files" ALTER COLUMN "note" SET DEFAULT 1;',
    'ALTER TABLE "files" DROP CONSTRAINT "files_state";',
    'CREATE INDEX IF NOT EXISTS "files_note" ON "files" USING btree ("note");',
    '-- safe: one more state; the version before writes none but the former ones\nALTER TABLE "files" ADD CONSTRAINT "files_state" CHECK ("state" in (1, 2, 3));',
    '-- contract: not used since 0.2.0\nALTER TABLE "files" DROP COLUMN "note";',
    '-- contract: not used since 0.1.9\nDROP TABLE "film_frames";',
    'ALTER TYPE "mood" ADD VALUE \'glad\';',
  ])('%s', (migration) => {
    expect(problemsOf(migration, '0.2.0')).toEqual([])
  })
})

describe('the version before does not survive', () => {
  it.each([
    ['ALTER TABLE "files" DROP COLUMN "note";', 'takes away'],
    ['ALTER TABLE "files" DROP "note";', 'takes away'],
    ['DROP TABLE "files";', 'takes away'],
    ['DROP INDEX "files_note";', 'takes away'],
    ['TRUNCATE "files";', 'takes away'],
    ['ALTER TABLE "files" RENAME TO "documents";', 'takes a name away'],
    ['ALTER TABLE "files" RENAME COLUMN "note" TO "remark";', 'takes a name away'],
    ['ALTER TABLE "files" ALTER COLUMN "note" SET NOT NULL;', 'refuses what the version before may write'],
    ['ALTER TABLE "files" ALTER COLUMN "note" DROP DEFAULT;', 'leave the column to its default'],
    ['ALTER TABLE "files" ALTER COLUMN "note" SET DATA TYPE integer;', 'changes a type'],
    ["ALTER TYPE \"mood\" RENAME VALUE 'sad' TO 'blue';", 'changes a type'],
    ['ALTER TABLE "files" ADD COLUMN "pages" integer NOT NULL;', 'give it a DEFAULT'],
    ['ALTER TABLE "files" ADD "pages" integer NOT NULL;', 'give it a DEFAULT'],
    [
      '-- safe: all of them will be filled\nALTER TABLE "files" ADD COLUMN "pages" integer NOT NULL;',
      'give it a DEFAULT',
    ],
    ['ALTER TABLE "files" ADD COLUMN "key" text GENERATED ALWAYS AS (lower("name")) STORED;', 'rewrites'],
    ['ALTER TABLE "files" ADD CONSTRAINT "files_state" CHECK ("state" > 0);', 'may refuse'],
    ['CREATE INDEX "files_note" ON "files" USING btree ("note");', 'IF NOT EXISTS'],
    ['CREATE UNIQUE INDEX "files_note" ON "files" USING btree ("note");', 'may refuse'],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_note" ON "files" ("note");', 'one transaction'],
    ['UPDATE "files" SET "note" = upper("note");', 'changes rows'],
    ['DO $$ BEGIN UPDATE "files" SET "note" = 1; END $$;', 'changes rows'],
    ['CREATE TABLE "a" ("b" text);\nALTER TABLE "files" DROP COLUMN "note";', 'takes away'],
    ['-- contract: some day\nALTER TABLE "files" DROP COLUMN "note";', 'takes away'],
    // The marker belongs to the next statement only.
    ['-- contract: not used since 0.1.0\nDROP TABLE "a";\nDROP TABLE "b";', '“DROP TABLE "b"” takes away'],
    [
      '-- contract: not used since 0.3.0\nDROP TABLE "a";',
      'said to be unused since 0.3.0; the release before is 0.2.0',
    ],
  ])('%s', (migration, problem) => {
    expect(problemsOf(migration, '0.2.0')).toEqual(expect.arrayContaining([expect.stringContaining(problem)]))
  })
})
