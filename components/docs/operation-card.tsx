import { CodeBlock } from '@/components/ui/code-block'
import type { JsonSchema } from '@/lib/http/json-schema'
import type { OperationObject } from '@/lib/http/openapi'
import { SchemaFields, TypeOf } from './schema-fields'

/** What an operation is for, what is sent with it, how it is called with curl, and what it may return. */
export function OperationCard({
  path,
  method,
  operation,
  baseUrl,
}: {
  path: string
  method: string
  operation: OperationObject
  baseUrl: string
}) {
  const body = Object.entries(operation.requestBody?.content ?? {})[0]
  const response = responseOf(operation)
  return (
    <article
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-title`}
      className="min-w-0 rounded-xl border border-line bg-surface shadow-xs target:border-accent-line target:ring-3 target:ring-accent-soft"
    >
      <header className="px-5 pt-4">
        <h2 id={`${operation.operationId}-title`} className="text-base font-semibold text-pretty">
          {operation.summary}
        </h2>
        <p className="mt-1.5 flex items-baseline gap-2.5 text-sm">
          <MethodWord method={method} />
          <code className="min-w-0">{path}</code>
        </p>
        <p className="mt-1.5 text-sm text-ink-muted">{operation.description}</p>
        <CodeBlock
          code={curlOf(path, method, operation, baseUrl)}
          label={`curl for ${method} ${path}`}
          className="mt-3"
        />
      </header>
      <div className="grid gap-x-8 gap-y-3 px-5 pt-2 pb-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          {operation.parameters.length > 0 && (
            <Part title="Parameters">
              <Parameters parameters={operation.parameters} />
            </Part>
          )}
          {body && (
            <Part title="Body" aside={body[0]}>
              <SchemaFields schema={body[1].schema} marksRequired />
            </Part>
          )}
          {operation.parameters.length === 0 && !body && (
            <p className="pt-3 text-sm text-ink-muted">Takes no parameters.</p>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3 pt-3">
          <Responses operation={operation} />
          {response?.example !== undefined && (
            <details className="group">
              <summary className="text-sm text-ink-muted hover:text-ink">Example of the response</summary>
              <CodeBlock
                code={JSON.stringify(response.example, null, 2)}
                label={`Response to ${method} ${path}`}
                className="mt-2"
              />
            </details>
          )}
        </div>
      </div>
    </article>
  )
}

export function MethodWord({ method }: { method: string }) {
  return <code className="shrink-0 text-xs font-semibold text-accent-ink">{method}</code>
}

function Part({ title, aside, children }: { title: string; aside?: string; children: React.ReactNode }) {
  return (
    <section className="pt-3">
      <h3 className="flex items-baseline justify-between gap-4 border-b border-line pb-1.5 text-xs font-medium text-ink">
        {title}
        {aside && <code className="font-normal text-ink-subtle">{aside}</code>}
      </h3>
      {children}
    </section>
  )
}

/** Parameters as fields, those of the path first; a header says that it is one. */
function Parameters({ parameters }: { parameters: OperationObject['parameters'] }) {
  const properties = Object.fromEntries(
    parameters.map(({ name, in: place, description, schema }): [string, JsonSchema] => [
      name,
      { ...schema, description: place === 'header' ? `Header. ${description ?? ''}` : description },
    ]),
  )
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return <SchemaFields schema={{ properties, required }} marksRequired />
}

function responseOf({ responses }: OperationObject) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success && 'content' in success ? Object.values(success.content ?? {})[0] : undefined
}

function Responses({ operation }: { operation: OperationObject }) {
  const statuses = Object.keys(operation.responses)
  const success = statuses.find((status) => status.startsWith('2'))
  const response = responseOf(operation)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="font-medium text-pass-ink tabular-nums">{success}</dt>
      <dd className="text-ink-muted">{response && <TypeOf schema={response.schema} />}</dd>
      <dt className="font-medium text-fail-ink">Errors</dt>
      <dd className="flex flex-wrap gap-x-3 tabular-nums">
        {statuses
          .filter((status) => status !== success)
          .map((status) => (
            <a key={status} href={`/docs/errors#http-${status}`} className="link">
              {status}
            </a>
          ))}
      </dd>
    </dl>
  )
}

/** The call as one command; `$names` are for the reader to set. */
function curlOf(path: string, method: string, operation: OperationObject, baseUrl: string): string {
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=$${name}`)
    .join('&')
  const url = `${baseUrl}${path.replace(/\{(\w+)\}/g, '$$$1')}${query && `?${query}`}`
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isFile = type === 'multipart/form-data'
  return [
    // A body makes it a POST by itself.
    `curl ${method === 'GET' || (method === 'POST' && content) ? '' : `-X ${method} `}"${url}"`,
    operation.security.length > 0 && '-H "Authorization: Bearer $TOKEN"',
    isFile && '-F "file=@banner.png"',
    content && !isFile && '-H "Content-Type: application/json"',
    content && !isFile && `-d '${jsonFor(content.example)}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

function jsonFor(example: unknown): string {
  const short = JSON.stringify(example ?? {})
  const text = short.length > 60 ? JSON.stringify(example, null, 2).replaceAll('\n', '\n  ') : short
  return text.replaceAll("'", "'\\''")
}
