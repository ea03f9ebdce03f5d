import { z } from 'zod'
import { Violation } from '@/lib/domain/files/schema'
import { PERMISSIONS } from '@/lib/domain/kernel/permissions'
import { WebhookPayload, WebhookPing } from '@/lib/domain/webhooks/schema'
import { EVENT_TYPES, eventLabel } from '@/lib/vocabulary'
import type { Method } from './endpoint'
import type { ProblemCode } from './http-error'
import { type Described, INTERFACE, type Section, type Served } from './interface'
import { Components, exampleOf, type JsonSchema } from './json-schema'
import { PROBLEMS } from './problem'
import { LINK_HEADERS } from './request'

/** The description of the interface, OpenAPI 3.1, made of the table and the shapes that validate the requests. */

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}
type Content = Record<string, { schema: JsonSchema; example?: unknown }>
type ResponseObject = {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
}
export type OperationObject = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject | { $ref: string }>
}
/** What this service sends by itself. */
type WebhookObject = Omit<OperationObject, 'security'>
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: WebhookObject }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, Record<string, string>>
  }
}

const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]

/** RFC 9457 with what this service adds to it. */
const ProblemShape = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    code: z.enum(PROBLEM_CODES),
    detail: z.string().describe('What was wrong, what was expected, how to go on'),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
    violations: z.array(Violation).optional().describe('With file_rejected: every reason that applies'),
    current: z.string().optional().describe('With invalid_state: the state that is'),
    allowed: z.array(z.string()).optional().describe('With invalid_state: the states in which this is possible'),
    changed_by: z
      .object({ name: z.string(), is_you: z.boolean() })
      .optional()
      .describe('With stale: who last changed it, as far as that was a user'),
  })
  .meta({ id: 'Problem' })

export function openApiDocument(baseUrl: string, sections: readonly Section[] = INTERFACE): OpenApiDocument {
  const components = new Components()
  const problem = components.of(ProblemShape, 'output')
  const paths = sections.flatMap(({ title, paths }) =>
    Object.entries(paths).map(([path, served]) => [path, pathItem(path, served, title, components)] as const),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Greenroom',
      version: '1.0.0',
      description:
        'Quality control for creative files, from agency upload to approval. JSON in UTF-8, names in snake_case, times in UTC. Errors are problem documents (RFC 9457).',
    },
    servers: [{ url: baseUrl }],
    tags: sections.map(({ title, about }) => ({ name: title, description: about })),
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries([
      ...EVENT_TYPES.map((type) => [type, sent(type, WebhookPayload, eventLabel(type), components)]),
      ['webhook.ping', sent('webhook.ping', WebhookPing, 'A test, sent by an administrator', components)],
    ]),
    components: {
      schemas: components.schemas,
      responses: Object.fromEntries(
        [...new Set(PROBLEM_CODES.map((code) => PROBLEMS[code].status))].sort().map((status) => [
          `Problem${status}`,
          {
            description: `\`${codesOf(status).join('`, `')}\``,
            content: { 'application/problem+json': { schema: problem } },
          },
        ]),
      ),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, gr_ and 38 characters' },
      },
    },
  }
}

let made: { baseUrl: string; document: OpenApiDocument } | undefined

/** The document of all of /api, made once: nothing in it changes while the process runs, and making it takes 0.15 s of processor time. */
export function wholeOpenApiDocument(baseUrl: string): OpenApiDocument {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, document: openApiDocument(baseUrl) }
  return made.document
}

/** One event as an endpoint of another system receives it (Standard Webhooks 1.0). */
function sent(type: string, payload: z.ZodType, summary: string, components: Components): { post: WebhookObject } {
  const shape = components.of(payload, 'output')
  const header = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const schema = { allOf: [shape, { type: 'object', properties: { type: { const: type } } }] }
  return {
    post: {
      operationId: `on_${type.replaceAll('.', '_')}`,
      summary,
      description: 'Delivered at least once, in no promised order; tried again for three days.',
      tags: ['Webhooks'],
      parameters: [
        header('webhook-id', 'The same over all attempts: what came before may be left alone'),
        header('webhook-timestamp', 'Seconds since 1970 at which this attempt was signed'),
        header('webhook-signature', 'v1, and HMAC-SHA256 of id.timestamp.body under the secret, in Base64'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. Anything else is tried again' },
        '410': { description: 'The receiver is gone: the endpoint is disabled' },
      },
    },
  }
}

const codesOf = (status: number) => PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status)

const pathItem = (path: string, served: Served, tag: string, components: Components) =>
  Object.fromEntries(
    Object.entries(served).map(([method, target]) => [
      method.toLowerCase(),
      operation(path, method as Method, describeTarget(target), tag, components),
    ]),
  )

/** Operations and handlers described alike. */
type DescribedOperation = Described & { isConditional: boolean; isSingle: boolean; hasLocation: boolean }

function describeTarget(target: Served[Method]): DescribedOperation {
  if (!target) throw new Error('A method of the interface has nothing behind it.')
  if (target.kind === 'described')
    return { ...target, isConditional: false, isSingle: false, hasLocation: target.status === 201 }
  if (target.kind === 'intake') {
    const { name, summary, permission, params, output } = target
    const headers = params.includes('token') ? LINK_HEADERS : undefined
    const file = { kind: 'described', name, summary, permission, params, body: 'file', status: 201 } as const
    return { ...file, response: output, headers, isConditional: false, isSingle: false, hasLocation: true }
  }
  const isQuery = target.kind === 'query' && !target.inputInBody
  return {
    kind: 'described',
    name: target.name,
    summary: target.summary,
    permission: target.laterPermission ?? target.permission,
    params: target.params,
    query: isQuery ? target.input : undefined,
    body: isQuery ? undefined : target.input,
    status: target.created ? 201 : target.kind === 'command' && !target.output ? 204 : 200,
    response: target.output ?? z.unknown(),
    isConditional: target.conditional,
    isSingle: target.isVersioned,
    hasLocation: target.created !== undefined,
  }
}

function operation(
  path: string,
  method: Method,
  it: DescribedOperation,
  tag: string,
  components: Components,
): OperationObject {
  const body = requestBody(it, components)
  return {
    operationId: it.name,
    summary: it.summary,
    description: rightsOf(path, it),
    tags: [tag],
    security: it.permission === 'anyone' ? [] : [{ token: [] }],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(
        ([, name = '']): Parameter => ({
          name,
          in: 'path',
          required: true,
          schema: name.endsWith('_id') && name !== 'check_id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
        }),
      ),
      ...(it.query ? queryParameters(it.query, components) : []),
      ...headerParameters(method, it),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [it.status]: success(it, components),
      ...Object.fromEntries((it.statuses ?? []).filter(isSuccess).map((status) => [status, OTHERWISE[status]])),
      ...Object.fromEntries(
        failures(method, it).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  }
}

function rightsOf(path: string, { permission: may }: DescribedOperation): string {
  if (may === 'anyone') return 'Needs no account.'
  const role = PERMISSIONS[may]
  return path.includes('{project_id}') ? `Least role: ${role}, member of the project.` : `Least role: ${role}.`
}

function requestBody({ body }: DescribedOperation, components: Components): OperationObject['requestBody'] {
  if (!body) return undefined
  if (body === 'file') {
    const schema = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  const schema = components.of(body, 'input')
  const example = exampleOf(schema, components.schemas, { onlyRequired: (schema.required ?? []).length > 0 })
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema, example } } }
}

function queryParameters(query: z.ZodType, components: Components): Parameter[] {
  // Values come as text and are turned into what the output says; what may be left out is said by the input.
  const [sent, meant] = [components.of(query, 'input'), components.of(query, 'output')]
  return Object.entries(meant.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (sent.required ?? []).includes(name),
    ...(description && { description }),
    schema,
  }))
}

function headerParameters(method: Method, it: DescribedOperation): Parameter[] {
  const header = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...(method === 'POST'
      ? [header('Idempotency-Key', 'Any text of your choice: the same request with the same key happens once')]
      : []),
    ...(it.isConditional ? [header('If-Match', 'The ETag you read; 412 if another user changed it since')] : []),
    ...Object.entries(it.headers ?? {}).map(([name, description]) => header(name, description)),
  ]
}

function success(it: DescribedOperation, components: Components): ResponseObject {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  const headers = {
    ...(it.isSingle && { ETag: text('Strong validator, for If-Match') }),
    ...(it.hasLocation && { Location: text('Path of what was created') }),
  }
  if (it.status === 204) return { description: it.summary }
  const schema = typeof it.response === 'string' ? { type: 'string' } : components.of(it.response, 'output')
  return {
    description: it.summary,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      ...(typeof it.response === 'string'
        ? { [it.response]: { schema } }
        : { 'application/json': { schema, example: exampleOf(schema, components.schemas) } }),
      ...Object.fromEntries((it.alsoAs ?? []).map((type) => [type, { schema: { type: 'string' } }])),
    },
  }
}

/** Responses that are no refusal and not the usual one. */
const OTHERWISE: Record<number, ResponseObject> = {
  206: { description: 'The part that was asked for' },
  302: { description: 'The bytes are at the storage, at `Location`' },
  304: { description: 'What you have is still what it is' },
}
const isSuccess = (status: number) => status in OTHERWISE

/** What needs the bytes of a file, which a retention rule may have removed; downloads say so themselves. */
const NEED_BYTES = ['reviewFile', 'reviewFiles', 'rerunResult', 'openBanner', 'openBannerPart']

/**
 * The statuses with which this may be refused, by what it reads and does. Every status that a test of the routes or a
 * story meets is compared with these, see lib/http/testing.ts and e2e/support/test.ts.
 */
function failures(method: Method, it: DescribedOperation): number[] {
  const isWrite = method !== 'GET'
  const has: [boolean, ProblemCode][] = [
    // The query, or the form of the body.
    [true, 'invalid_query'],
    // A credential that is sent must be good, also where none is needed.
    [true, 'unauthenticated'],
    [
      isWrite || it.permission === 'anyone' || PERMISSIONS[it.permission] !== 'viewer' || it.params.length > 0,
      'forbidden',
    ],
    [true, 'not_found'],
    [isWrite || it.params.length > 0, 'invalid_state'],
    [it.params.includes('token'), 'link_expired'],
    [it.name === 'resetPassword', 'link_expired'],
    [NEED_BYTES.includes(it.name), 'removed'],
    [it.isConditional, 'stale'],
    [isWrite, 'body_too_large'],
    [isWrite, 'unsupported_media_type'],
    [isWrite, 'validation_failed'],
    [true, 'rate_limited'],
    [true, 'internal'],
    [true, 'unavailable'],
  ]
  const own = (it.statuses ?? []).filter((status) => !isSuccess(status))
  return [...new Set([...has.filter(([holds]) => holds).map(([, code]) => PROBLEMS[code].status), ...own])].sort()
}
