import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { database } from '@/db/client'
import { recordStatements, type Statement, testSql } from '@/db/testing'
import { as } from '../testing'
import { ReadAgain, type Tx } from './operation'
import { SharedTransactions } from './shared-transaction'

/** Those who write to one resource at the same time, in the transactions they share. */

let statements: Statement[]
let transactions: SharedTransactions<string>
beforeEach(async () => {
  transactions = new SharedTransactions()
  statements = recordStatements(database().sql)
  await testSql`create table if not exists notes (text text unique)`
  await testSql`truncate notes`
})

const begun = () => statements.filter(({ text }) => text.startsWith('begin')).length
const noted = async () => (await testSql`select text from notes order by text`).map(({ text }) => text)
const note = (text: string) => async (tx: Tx) => {
  await tx.db.execute(sql`insert into notes (text) values (${text})`)
  return `${text} ${tx.requestId}`
}

/** Writes something, by a request of that name; alone it writes the same unless told otherwise. */
function write(text: string, run: (tx: Tx) => Promise<string> = note(text), key = 'a place') {
  const ctx = as('system', { requestId: `request ${text}` })
  const alone = () => Promise.resolve(`${text} alone`)
  return transactions.run(key, ctx, async () => 'found', run, alone)
}

/** Who comes while the first writes. */
async function meanwhile(begin: () => Promise<string>[]): Promise<PromiseSettledResult<string>[]> {
  let finish = () => {}
  const first = transactions.run(
    'a place',
    as('system'),
    async () => 'found',
    async () => 'written',
    () => new Promise<string>((resolve) => (finish = () => resolve('first'))),
  )
  const others = begin()
  finish()
  expect(await first).toBe('first')
  return Promise.allSettled(others)
}

const values = (settled: PromiseSettledResult<string>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))

test('who comes while one writes is written with the others who do, each as its own request', async () => {
  const ended = await meanwhile(() => ['a', 'b', 'c'].map((text) => write(text)))
  expect(values(ended)).toEqual(['a request a', 'b request b', 'c request c'])
  expect(await noted()).toEqual(['a', 'b', 'c'])
  expect(begun()).toBe(1)
})

test('sixteen share a transaction at most', async () => {
  await meanwhile(() => Array.from({ length: 20 }, (_, index) => write(`${index}`)))
  expect(await noted()).toHaveLength(20)
  expect(begun()).toBe(2)
})

test('what goes elsewhere waits for nobody', async () => {
  const [ended] = await meanwhile(() => [write('b', note('b'), 'another place')])
  expect(ended).toEqual({ status: 'fulfilled', value: 'b alone' })
})

test('where one cannot be written, nothing is, and each is tried alone', async () => {
  const refused = async (tx: Tx) => {
    expect(tx.isShared).toBe(true)
    throw new ReadAgain()
  }
  const ended = await meanwhile(() => [write('a'), write('b', refused), write('c')])
  expect(values(ended)).toEqual(['a alone', 'b alone', 'c alone'])
  expect(await noted()).toEqual([])
})

test('a statement that fails ends the transaction of all, and none of them writes after it', async () => {
  const twice = async (tx: Tx) => {
    await note('b')(tx)
    return note('never')(tx)
  }
  const ended = await meanwhile(() => [write('a'), write('a again', note('a')), write('b', twice)])
  expect(values(ended)).toEqual(['a alone', 'a again alone', 'b alone'])
  expect(await noted()).toEqual([])
})

test('a commit that fails is told to all, since it may have been one', async () => {
  await testSql`create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'not at the end'; end $$`
  await testSql`create constraint trigger late after insert on notes deferrable initially deferred for each row execute function refuse()`
  try {
    const ended = await meanwhile(() => [write('a'), write('b')])
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  } finally {
    await testSql`drop trigger late on notes`
  }
})

test('each writes in the context it was asked in', async () => {
  const trace = new AsyncLocalStorage<string>()
  const heard = async () => trace.getStore() ?? 'none'
  const ended = await meanwhile(() => ['one', 'two'].map((id) => trace.run(id, () => write(id, heard))))
  expect(values(ended)).toEqual(['one', 'two'])
})
