import { and, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { mediaCategories, users } from '@/db/schema/directory'
import { type Role, roleOrHigher } from '@/lib/vocabulary'
import { invalid, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import { inProject, type ProjectRow } from '../projects/find'
import { assertNotClosed } from '../projects/rules'
import { insertBatch, namingFor, settingErrors } from './commands'
import { manifestErrors } from './rules'
import { type BatchesOfTable, CheckedTable, CreateBatch, CreatedBatches, TableOfBatches } from './schema'
import { type BatchTable, readBatchTable, type TableLine, type TableMistake } from './table'

type Input = z.output<typeof TableOfBatches>
type Planned = z.output<typeof BatchesOfTable>
type Person = { id: string; name: string; email: string; role: Role }

export const checkBatchTable = query({
  name: 'checkBatchTable',
  summary: 'Read a table of batches as it would be created, with what is wrong in it; nothing is created',
  permission: 'batches.create',
  resource: inProject,
  inputInBody: true,
  input: TableOfBatches,
  output: CheckedTable,
  async run(tx, { resource: project, input }) {
    assertNotClosed(project)
    const { planned, mistakes } = await plan(tx, project, input)
    return {
      batches: planned.map(({ files, ...batch }) => ({ ...batch, expected_files: files.length })),
      mistakes: mistakes.slice(0, MOST_MISTAKES),
    }
  },
})

export const createBatchesOfTable = command({
  name: 'createBatchesOfTable',
  summary: 'Create a batch for each line of a table: all of them, or none when anything in it is wrong',
  permission: 'batches.create',
  resource: inProject,
  input: TableOfBatches,
  output: CreatedBatches,
  async run(tx, { resource: project, input }) {
    assertNotClosed(project)
    const { planned, mistakes } = await plan(tx, project, input)
    if (mistakes.length > 0) {
      throw invalid(
        mistakes.slice(0, MOST_MISTAKES).map(({ line, column, message }) => ({
          path: `table.${line}${column ? `.${column}` : ''}`,
          code: 'invalid_cell',
          message: `Line ${line}${column ? `, ${column}` : ''}: ${message}`,
        })),
      )
    }
    const created = []
    for (const [index, { name, media_category, operator, coordinator, due_on, files }] of planned.entries()) {
      const values = {
        ...input.defaults,
        name,
        media_category_id: media_category.id,
        operator_id: operator?.id,
        coordinator_id: coordinator?.id,
        due_on,
        manifest: files.map((name) => ({ name })),
      }
      // Lists show the newest first: the first line stands on top of them.
      const id = await insertBatch(tx, project, values, new Date(tx.now.getTime() - index))
      created.push({ id, name })
    }
    return { batches: created }
  },
})

const MOST_MISTAKES = 200

type Plan = { planned: (Omit<Planned, 'expected_files'> & { files: string[] })[]; mistakes: TableMistake[] }

/** What each line stands for, with the defaults where its cells are empty. */
async function plan(tx: Tx, project: ProjectRow, { table, defaults = {} }: Input): Promise<Plan> {
  const wrongDefaults = await settingErrors(tx, defaults)
  if (wrongDefaults.length > 0)
    throw invalid(wrongDefaults.map((error) => ({ ...error, path: `defaults.${error.path}` })))
  const read = readBatchTable(table)
  const known = await knownTo(tx, read.lines, defaults)
  const namings = new Map<string, ReturnType<typeof namingFor>>()
  const mistakes = [...read.mistakes]
  const planned: Plan['planned'] = []
  for (const line of read.lines) {
    const wrong = (column: keyof BatchTable['headings'], message: string) => {
      mistakes.push({ line: line.line, column: read.headings[column] ?? null, message })
      return null
    }
    const name = nameOf(line, wrong)
    const category = categoryOf(line, known, defaults.media_category_id ?? project.mediaCategoryId, wrong)
    const operator = personOf('operator', line.operator, known, defaults.operator_id, wrong)
    const coordinator = personOf('coordinator', line.coordinator, known, defaults.coordinator_id, wrong)
    const due_on = dayOf(line, defaults.due_on ?? null, wrong)
    if (category && line.expectedFiles.length > 0) {
      const naming = namings.get(category.id) ?? namingFor(tx, project, category.id, defaults.naming_template ?? null)
      namings.set(category.id, naming)
      for (const message of wrongFiles(line.expectedFiles, await naming)) wrong('expectedFiles', message)
    }
    if (name && category) {
      planned.push({
        line: line.line,
        name,
        media_category: category,
        operator: operator && { id: operator.id, name: operator.name },
        coordinator: coordinator && { id: coordinator.id, name: coordinator.name },
        due_on,
        files: line.expectedFiles,
      })
    }
  }
  return { planned, mistakes: mistakes.toSorted((a, b) => a.line - b.line) }
}

type Known = { categories: { id: string; name: string }[]; people: Person[] }
type Wrong = (column: keyof BatchTable['headings'], message: string) => null

/** The categories, and the people that the table or the defaults name. */
async function knownTo(tx: Tx, lines: readonly TableLine[], defaults: NonNullable<Input['defaults']>): Promise<Known> {
  const named = [...new Set(lines.flatMap(({ operator, coordinator }) => [operator, coordinator]))]
    .filter((name) => name !== null)
    .map((name) => name.toLowerCase())
  const ids = [defaults.operator_id, defaults.coordinator_id].filter((id) => id != null)
  const wanted = or(
    named.length > 0 ? inArray(sql`lower(${users.name})`, named) : undefined,
    named.length > 0 ? inArray(sql`lower(${users.email})`, named) : undefined,
    ids.length > 0 ? inArray(users.id, ids) : undefined,
  )
  return {
    categories: await tx.db.select({ id: mediaCategories.id, name: mediaCategories.name }).from(mediaCategories),
    people: wanted
      ? await tx.db
          .select({ id: users.id, name: users.name, email: users.email, role: users.role })
          .from(users)
          .where(and(wanted, isNull(users.disabledAt)))
      : [],
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function nameOf({ name }: TableLine, wrong: Wrong): string | null {
  if (name === null) return wrong('name', 'The batch has no name. Give it one.')
  const read = CreateBatch.shape.name.safeParse(name)
  if (read.success) return read.data
  return wrong('name', `${quote(name)} cannot be a name: it has at most 200 characters, all of them visible ones.`)
}

function categoryOf({ category }: TableLine, { categories }: Known, fallback: string | null, wrong: Wrong) {
  if (category === null) {
    const found = categories.find(({ id }) => id === fallback)
    return (
      found ??
      wrong(
        'category',
        'No media category is given, and there is none to fall back to. Add one here, or choose one for all lines.',
      )
    )
  }
  const found = categories.filter(({ name }) => isSame(name, category))
  const [only] = found
  if (only && found.length === 1) return only
  return wrong(
    'category',
    found.length > 1
      ? `${found.length} media categories are called ${quote(category)}. Choose one for all lines instead.`
      : `There is no media category ${quote(category)}. Write the name of an existing one.`,
  )
}

function personOf(
  least: 'operator' | 'coordinator',
  written: string | null,
  { people }: Known,
  fallback: string | null | undefined,
  wrong: Wrong,
): Person | null {
  if (written === null) return people.find(({ id }) => id === fallback) ?? null
  const byEmail = people.filter(({ email }) => isSame(email, written))
  const found = byEmail.length > 0 ? byEmail : people.filter(({ name }) => isSame(name, written))
  const [person] = found
  if (!person) {
    return wrong(
      least,
      `There is no active user ${quote(written)}. Write a name or an e-mail address as on the list of users.`,
    )
  }
  if (found.length > 1) {
    return wrong(least, `${found.length} users are called ${quote(written)}. Write the e-mail address instead.`)
  }
  if (isAtLeast(person.role, least)) return person
  return wrong(
    least,
    `${quote(person.name)} has the role ${person.role}; the ${least} of a batch needs the role ${roleOrHigher(least)}.`,
  )
}

function dayOf({ due }: TableLine, fallback: string | null, wrong: Wrong): string | null {
  if (due === null) return fallback
  const read = CreateBatch.shape.due_on.safeParse(due)
  return read.success ? (read.data ?? null) : wrong('due', `${quote(due)} is not a day. Write it as 2026-12-31.`)
}

function wrongFiles(names: readonly string[], naming: Parameters<typeof manifestErrors>[0]): string[] {
  const entry = CreateBatch.shape.manifest.unwrap().element.shape.name
  const unfit = names.filter((name) => !entry.safeParse(name).success)
  if (unfit.length > 0) return unfit.map((name) => `${quote(name)} cannot be the name of a file.`)
  if (names.length > 5000)
    return [`There are ${names.length} names of files, and at most 5000 are expected of a batch.`]
  return manifestErrors(
    naming,
    names.map((name) => ({ name })),
    new Set(),
    // Its own count of names would be taken for the line of the table.
  ).map(({ message }) =>
    message
      .replace(/^Line \d+: n/, 'N')
      .replace(/ on the manifest twice, in lines .*$/, ' there twice. Leave one of them out.'),
  )
}
