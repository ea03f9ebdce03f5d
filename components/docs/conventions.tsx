import { CodeBlock } from '@/components/ui/code-block'
import { Inline } from './inline'

const RULES: readonly { title: string; text: string }[] = [
  {
    title: 'Bodies',
    text: 'JSON in UTF-8 with names in `snake_case`. A field the interface does not know is refused, so that a typo is never lost.',
  },
  {
    title: 'Identifiers and times',
    text: 'Identifiers are UUIDs. Times are ISO 8601 in UTC with milliseconds, such as `2026-05-04T09:30:00.000Z`; dates are `YYYY-MM-DD`.',
  },
  {
    title: 'Lists',
    text: 'An object with one list, newest first, and `next_cursor`. Without `limit` the first 1,000 are returned, with it as many as it says; ask for the next page with `cursor` until `next_cursor` is null.',
  },
  {
    title: 'Repeating safely',
    text: 'Send an `Idempotency-Key` of your choice with a POST. If the line breaks, send the same request again: it happens once, and the first response comes back with `Idempotency-Replayed: true`. Keys are kept for 24 hours.',
  },
  {
    title: 'Changing safely',
    text: 'A single resource gets an `ETag`. Send it as `If-Match` with your change: if another user was faster, the response is 412 and nothing is overwritten.',
  },
  {
    title: 'Errors',
    text: 'Every failure is `application/problem+json` (RFC 9457) with a stable `code` and sentences that say what to fix. What you may not see gets a 404.',
  },
  {
    title: 'Tracing',
    text: 'Every response carries `X-Request-Id`; send your own and it is used. The same id stands in the logs of the service.',
  },
]

/** What holds for every operation, and how to make the first call. */
export function Conventions({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <section id="begin" className="mt-10">
        <h2 className="text-xl font-semibold">Begin</h2>
        <p className="mt-1 mb-4 max-w-prose text-base text-ink-muted">
          <Inline text="Make a token in Settings, Tokens, or on the server with `npm run token`. It acts as its user, never with more rights; a token with the scope `read` changes nothing." />
        </p>
        <CodeBlock
          label="First call"
          code={`export TOKEN=gr_...\ncurl "${baseUrl}/api/users/me" -H "Authorization: Bearer $TOKEN"`}
        />
      </section>
      <section id="conventions" className="mt-10">
        <h2 className="text-xl font-semibold">Conventions</h2>
        <dl className="mt-3 grid gap-x-10 gap-y-5 text-base md:grid-cols-2">
          {RULES.map(({ title, text }) => (
            <div key={title}>
              <dt className="font-medium">{title}</dt>
              <dd className="mt-0.5 text-ink-muted">
                <Inline text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
