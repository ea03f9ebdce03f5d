import { CodeBlock } from '@/components/ui/code-block'

/** One operation as OpenAPI tells it; only what the card shows. */
type Told = {
  operationId: string
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: readonly {
    name: string
    in: string
    required: boolean
    description?: string
    schema: Record<string, unknown>
  }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, object>
}

/** What an operation is for, how it is called with curl, and what it may answer. */
export function OperationCard({
  path,
  method,
  operation,
  baseUrl,
}: {
  path: string
  method: string
  operation: Told
  baseUrl: string
}) {
  return (
    <article
      id={operation.operationId}
      className="min-w-0 scroll-mt-6 rounded-xl border border-line bg-surface p-5 shadow-xs"
    >
      <h3 className="text-base font-semibold">{operation.summary}</h3>
      <p className="mt-1 flex items-baseline gap-2 font-mono text-sm">
        <span className="font-semibold text-accent-ink">{method}</span>
        <span className="min-w-0 wrap-anywhere">{path}</span>
      </p>
      {operation.description && <p className="mt-2 max-w-prose text-sm text-ink-muted">{operation.description}</p>}
      {operation.parameters.length > 0 && (
        <dl className="mt-4 grid gap-x-5 gap-y-1.5 text-sm sm:grid-cols-[12rem_1fr]">
          {operation.parameters.map((parameter) => (
            <div key={`${parameter.in} ${parameter.name}`} className="contents">
              <dt className="font-mono wrap-anywhere">{parameter.name}</dt>
              <dd className="text-ink-muted">
                {parameter.in}
                {parameter.required ? ', required' : ''}
                {typeof parameter.schema.type === 'string' && `, ${parameter.schema.type}`}
                {Array.isArray(parameter.schema.enum) && `: ${parameter.schema.enum.join(', ')}`}
                {parameter.description && `. ${parameter.description}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-4">
        <CodeBlock code={curlOf(path, method, operation, baseUrl)} label={`curl for: ${operation.summary}`} />
      </div>
      <p className="mt-3 text-xs text-ink-subtle">Answers {Object.keys(operation.responses).join(', ')}</p>
    </article>
  )
}

function curlOf(path: string, method: string, operation: Told, baseUrl: string): string {
  const needsToken = operation.security.length > 0
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${baseUrl}${path.replace(/\{(\w+)\}/g, '$$$1')}"`,
    needsToken && '-H "Authorization: Bearer $TOKEN"',
    type === 'multipart/form-data' && '-F "file=@banner.png"',
    type === 'application/json' && `-H "Content-Type: application/json" -d '${JSON.stringify(content?.example ?? {})}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}
