import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeAgency, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { DomainError } from './errors'
import { intake, type Upload } from './intake'
import type { Finder, Tx } from './operation'

/** The order of the steps of an intake, whatever the files are for. */

let asked: string[] = []
afterEach(() => {
  asked = []
})

const upload = { name: 'a.png', size: 1, sha256: '', staged: {} } as unknown as Upload
const onAgency: Finder<'agency_id', { id: string }> = {
  params: ['agency_id'],
  async find(_tx, { agency_id: id }, lock) {
    asked.push(lock ? 'find locked' : 'find')
    return { id }
  },
}
const taking = (over: { expect?: () => Promise<string>; store?: (tx: Tx) => Promise<string> } = {}) =>
  intake({
    name: 'takeLogo',
    summary: '',
    permission: 'directory.manage',
    resource: onAgency,
    output: z.string(),
    created: (id) => `/${id}`,
    expect:
      over.expect ??
      (async () => {
        asked.push('expect')
        return 'logos'
      }),
    validate: {
      name: async (_ctx, { expected }, { name }) => void asked.push(`name ${name} for ${expected}`),
      arriving: () => {},
      bytes: async (_ctx, { expected }) => {
        asked.push(`bytes for ${expected}`)
        return 'key'
      },
      undo: async (_ctx, _to, _upload, validated) => void asked.push(`undo ${validated}`),
    },
    store: over.store ?? (async () => 'stored'),
  })

const administrator = async () => as(await makeUser({ role: 'administrator' }))
const place = async () => ({ agency_id: (await makeAgency()).id })

describe('an intake', () => {
  it('asks what is expected once, however often it is needed, and finds the place once more under its lock', async () => {
    const arrival = await taking().open(await administrator(), await place())
    await arrival.expect()
    await arrival.validateName({ name: 'a.png' })
    expect(await arrival.receive(upload)).toBe('stored')
    expect(asked).toEqual(['find', 'expect', 'name a.png for logos', 'bytes for logos', 'find locked'])
  })

  it('asks nothing for an actor who may not, and reads no bytes', async () => {
    const at = await place()
    await expectRefusal(taking().execute(as('anonymous'), at, upload), 'unauthenticated')
    await expectRefusal(taking().execute(as(await makeUser({ role: 'viewer' })), at, upload), 'forbidden')
    const reader = as(await makeUser({ role: 'administrator' }), { scope: 'read' })
    await expectRefusal(taking().execute(reader, at, upload), 'forbidden')
    expect(asked).toEqual(['find'])
  })

  it('reads no bytes when nothing may come', async () => {
    const closed = taking({ expect: () => Promise.reject(new DomainError('project_closed', 'No.')) })
    await expectRefusal(closed.execute(await administrator(), await place(), upload), 'project_closed')
    expect(asked).toEqual(['find'])
  })

  it('acts as the path says, on what the path was found by', async () => {
    const byLink = intake({
      name: 'takeByLink',
      summary: '',
      permission: 'anyone',
      resource: onAgency,
      enter: async (_ctx, { agency_id: id }) => ({
        actor: { type: 'upload_link', id, name: 'A link' },
        resource: { id },
      }),
      output: z.string(),
      created: () => '/',
      expect: async (tx) => tx.actor.type,
      validate: { name: async () => {}, arriving: () => {}, bytes: async () => {}, undo: async () => {} },
      store: async (tx, { expected, resource }) => `${expected} ${tx.actor.type} ${resource.id}`,
    })
    const at = await place()
    expect(await byLink.execute(as('anonymous'), at, upload)).toBe(`upload_link upload_link ${at.agency_id}`)
    expect(asked).toEqual(['find locked'])
  })

  it('takes back what it made durable when the rules refuse, and leaves it when it is unknown how it ended', async () => {
    const refuse = () => Promise.reject(new DomainError('batch_empty', 'No.'))
    await expectRefusal(taking({ store: refuse }).execute(await administrator(), await place(), upload), 'batch_empty')
    expect(asked.at(-1)).toBe('undo key')
    asked = []
    const lost = () => Promise.reject(Object.assign(new Error('connection lost'), { code: '08006' }))
    const losing = taking({ store: lost }).execute(await administrator(), await place(), upload)
    await expect(losing).rejects.toThrow('connection lost')
    expect(asked).not.toContain('undo key')
  })
})
