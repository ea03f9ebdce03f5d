import { expectTypeOf, it } from 'vitest'
import type { Agency } from '@/lib/domain/directory/schema'
import type { Project } from '@/lib/domain/projects/schema'
import type { Call, ResponseTo } from '@/lib/http/calls'
import { type ApiRequest, apiRequest } from './api'
import { useApiMutation } from './use-api-mutation'
import { useEditForm } from './use-edit-form'

/** What tsc says of calls to /api. Nothing is sent. */

const params = { project_id: 'p' }
const name = 'Spring'

it('returns what the operation returns', () => {
  expectTypeOf(apiRequest('GET /api/projects/{project_id}', { params })).toEqualTypeOf<ApiRequest<Project>>()
  expectTypeOf<ResponseTo<'GET /api/agencies'>['agencies']>().toEqualTypeOf<Agency[]>()
  expectTypeOf<ResponseTo<'POST /api/public/upload-links/{token}/session'>>().toEqualTypeOf<{ session: string }>()
  // @ts-expect-error: no field of a project
  const _ = (project: ResponseTo<'GET /api/projects/{project_id}'>) => project.nmae
})

it('takes the paths and methods that the interface has', () => {
  apiRequest('GET /api/projects')
  // @ts-expect-error: no such path
  apiRequest('GET /api/projcts')
  // @ts-expect-error: no such method there
  apiRequest('DELETE /api/projects')
  // @ts-expect-error: no JSON
  apiRequest('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/download')
  // @ts-expect-error: files are sent by the uploader
  apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files')
})

it('wants every parameter of the path', () => {
  // @ts-expect-error: missing
  apiRequest('GET /api/projects/{project_id}')
  // @ts-expect-error: misspelt
  apiRequest('GET /api/projects/{project_id}', { params: { projectId: 'p' } })
  // @ts-expect-error: one of two
  apiRequest('GET /api/projects/{project_id}/batches/{batch_id}', { params })
  // @ts-expect-error: none there
  apiRequest('GET /api/projects', { params })
})

it('wants the body that the operation reads', () => {
  apiRequest('POST /api/projects', { body: { name, agency_id: 'a' } })
  apiRequest('PATCH /api/projects/{project_id}', { params, body: { name }, ifMatch: '"v1"' })
  // @ts-expect-error: missing
  apiRequest('POST /api/projects')
  // @ts-expect-error: a field is missing
  apiRequest('POST /api/projects', { body: { name } })
  // @ts-expect-error: no such field
  apiRequest('POST /api/projects', { body: { name, agency_id: 'a', title: 'x' } })
  // @ts-expect-error: no such status
  apiRequest('PATCH /api/projects/{project_id}', { params, body: { status: 'open' } })
  // @ts-expect-error: this operation reads no body
  apiRequest('POST /api/notifications/read-all', { body: { all: true } })
  // @ts-expect-error: a GET has none
  apiRequest('GET /api/projects', { body: {} })
})

it('wants the query that the operation reads', () => {
  apiRequest('GET /api/projects', { query: { status: 'active', limit: 5 } })
  // @ts-expect-error: which batch
  apiRequest('GET /api/upload-links')
  // @ts-expect-error: no such filter
  apiRequest('GET /api/projects', { query: { colour: 'red' } })
  // @ts-expect-error: no such status
  apiRequest('GET /api/projects', { query: { status: 'open' } })
  // @ts-expect-error: a write has none
  apiRequest('POST /api/projects', { body: { name, agency_id: 'a' }, query: { limit: 5 } })
})

it('gives mutations and forms their types', () => {
  const _ = () => {
    const create = useApiMutation({
      request: (title: string) => apiRequest('POST /api/projects', { body: { name: title, agency_id: 'a' } }),
      onSuccess: (project, title) => {
        expectTypeOf(project).toEqualTypeOf<Project>()
        expectTypeOf(title).toEqualTypeOf<string>()
      },
    })
    expectTypeOf(create.data).toEqualTypeOf<Project | undefined>()
    // @ts-expect-error: a title is text
    create.mutate(7)
    useApiMutation({ request: () => apiRequest('POST /api/notifications/read-all') }).mutate()

    const { form } = useEditForm({
      defaultValues: { name: '' },
      request: (values: { name: string }) => apiRequest('PATCH /api/projects/{project_id}', { params, body: values }),
      onSuccess: (project) => {
        expectTypeOf(project).toEqualTypeOf<Project>()
      },
    })
    expectTypeOf(form.getValues()).toEqualTypeOf<{ name: string }>()
    useEditForm({
      // @ts-expect-error: not what the form holds
      defaultValues: { title: '' },
      request: (values: { name: string }) => apiRequest('PATCH /api/projects/{project_id}', { params, body: values }),
    })
  }
})

/** Paths at which a change returns something else than a GET, which `readVersion` relies on. */
type Unlike = {
  [Line in Call]: Line extends `PATCH ${infer Path}`
    ? `GET ${Path}` extends Call
      ? ResponseTo<Line> extends ResponseTo<`GET ${Path}`>
        ? never
        : Line
      : never
    : never
}[Call]

it('returns for a change what a GET returns', () => {
  expectTypeOf<Unlike>().toBeNever()
})
