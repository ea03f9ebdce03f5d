import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '@/lib/vocabulary'
import { type Handler, METHODS } from './endpoint'
import { INTERFACE, type Served } from './interface'
import { openApiDocument } from './openapi'
import { routes } from './testing'

const table: Record<string, Served> = Object.assign({}, ...INTERFACE.map(({ paths }) => paths))

describe('the interface', () => {
  it('lists exactly the paths that are served', () => {
    expect(Object.keys(routes).length).toBeGreaterThan(30)
    expect(Object.keys(table).sort()).toEqual(Object.keys(routes).sort())
  })

  it.each(Object.keys(routes).filter((folder) => !folder.endsWith('/tus')))(
    'describes what the route of %s does',
    async (folder) => {
      const route: Record<string, Handler> = await import(routes[folder] ?? '')
      for (const method of METHODS) {
        const [serves, described] = [route[method]?.serves, table[folder]?.[method]]
        expect({ method, isServed: serves !== undefined }).toEqual({ method, isServed: described !== undefined })
        if (typeof serves === 'object') expect(described).toBe(serves)
        else if (serves) expect(described?.kind).toBe('described')
      }
    },
  )

  it('takes at every resumable path what the path for whole files beside it takes, under the same rights', async () => {
    const resumable = Object.keys(routes).filter((folder) => folder.endsWith('/tus'))
    expect(resumable).toHaveLength(2)
    for (const folder of resumable) {
      const route: Record<string, Handler> = await import(routes[folder] ?? '')
      const whole = table[folder.replace(/tus$/, 'files')]?.POST
      expect(whole?.kind).toBe('intake')
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) expect(route[method]?.serves).toBe(whole)
      expect(table[folder]?.POST).toMatchObject({ permission: whole?.permission, params: whole?.params })
    }
  })

  it('reads the query at GET and the body elsewhere, as the types of the client say', () => {
    for (const served of Object.values(table))
      for (const [method, target] of Object.entries(served)) {
        if (target.kind === 'query' && target.input) expect(target.inputInBody).toBe(method !== 'GET')
        if (target.kind === 'command') expect(method).not.toBe('GET')
        if (target.kind === 'described' && (target.query || target.body))
          expect(target.body === undefined).toBe(method === 'GET')
      }
  })

  it.each(Object.entries(table))('names the parameters of %s as its operations do', (folder, served) => {
    const inPath = [...folder.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    for (const operation of Object.values(served)) expect([...operation.params].sort()).toEqual(inPath)
  })
})

/** A response of any shape: whatever is asked of it is an id. */
const anything: object = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive || name === 'toString' ? () => 'x' : anything),
})

it('says by Location where what was created can be read', () => {
  const created = Object.values(table).flatMap((served) =>
    Object.values(served).filter((each) => 'created' in each && each.created),
  )
  expect(created.length).toBeGreaterThan(10)
  for (const operation of created) {
    if (!('created' in operation) || !operation.created) continue
    const location = operation.created(anything as never, anything as never)
    const path = Object.keys(table).find((each) => new RegExp(`^${each.replace(/\{\w+\}/g, 'x')}$`).test(location))
    expect({ name: operation.name, location, canBeRead: Boolean(path && table[path]?.GET) }).toMatchObject({
      canBeRead: true,
    })
  }
})

describe('the description', () => {
  const document = openApiDocument('https://qc.example.com')
  const text = JSON.stringify(document)
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

  it('is OpenAPI 3.1 to the letter of its own schema', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('lets a generated client ask for what an address offers', () => {
    const queryOf = (path: string) =>
      Object.fromEntries((document.paths[path]?.get?.parameters ?? []).map(({ name, schema }) => [name, schema]))
    expect(queryOf('/api/cost-estimates/{estimate_id}/export').format).toMatchObject({ enum: ['pdf', 'csv'] })
    expect(queryOf('/api/projects/{project_id}/batches/{batch_id}/report').format).toMatchObject({
      enum: ['json', 'pdf'],
    })
    expect(Object.keys(queryOf('/api/pre-qc/analytics/agencies/csv'))).toEqual(expect.arrayContaining(['from', 'to']))
  })

  it('says what other systems are sent of every event', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES, 'webhook.ping'].sort())
    expect(document.components.schemas.WebhookPayload?.properties?.data?.properties).toHaveProperty('page_url')
  })

  it('gives every operation a name of its own and a sentence', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { summary } of operations) expect(summary.length).toBeGreaterThan(5)
  })

  it('refers only to what it holds', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, kind = '', name = ''] of references) {
      expect(Object.keys(document.components[kind as 'schemas' | 'responses'])).toContain(name)
    }
    expect([...text.matchAll(/"\$ref":"(?!#\/components\/)/g)]).toEqual([])
  })

  it('says of every operation what is returned, with an example', () => {
    for (const { operationId, responses } of operations) {
      // Part of a file is a response of its own.
      const success = Object.keys(responses).filter((status) => status.startsWith('2') && status !== '206')
      expect({ operationId, successes: success.length }).toEqual({ operationId, successes: 1 })
    }
    const created = document.paths['/api/projects']?.post
    expect(created?.responses['201']).toMatchObject({
      headers: { Location: {} },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Project' } } },
    })
    expect(created?.requestBody?.content['application/json']?.example).toMatchObject({ name: 'Spring launch' })
  })

  it('describes queries as they are typed, and which must be given', () => {
    const listed = document.paths['/api/upload-links']?.get?.parameters
    expect(listed).toContainEqual(expect.objectContaining({ name: 'batchId', in: 'query', required: true }))
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 500 },
      }),
    )
  })

  it('asks for a token everywhere but where none is needed', () => {
    expect(document.paths['/api/projects']?.get?.security).toEqual([{ token: [] }])
    expect(document.paths['/api/public/upload-links/{token}']?.get?.security).toEqual([])
  })

  it('names no host but the one it is given', () => {
    const hosts = [...text.matchAll(/https?:\/\/([^/"\\]+)/g)].map(([, host]) => host)
    expect(new Set(hosts)).toEqual(new Set(['qc.example.com']))
  })
})
