import Link from 'next/link'
import { MethodWord } from './operation-card'

type Operation = { method: string; operation: { operationId: string } }
type Section = { id: string; name: string; operations: Operation[] }

/** What there is in the reference; of the section that is shown, its operations too. `current`: its id, or `responses`. */
export function ReferenceContents({ sections, current }: { sections: Section[]; current?: string }) {
  return (
    <nav aria-label="Operations" className="text-sm">
      <ul className="mb-5 flex flex-col">
        <li>
          <Link href="/docs/api#begin" className="block py-0.5 text-ink-muted hover:text-ink">
            Begin
          </Link>
        </li>
        <li>
          <Link href="/docs/api#conventions" className="block py-0.5 text-ink-muted hover:text-ink">
            Conventions
          </Link>
        </li>
      </ul>
      <ul className="flex flex-col">
        {sections.map(({ id, name, operations }) => (
          <li key={id}>
            <Place href={`/docs/api/${id}`} name={name} isCurrent={id === current} />
            {id === current && (
              <div className="mt-1 mb-3 border-l border-line pl-3">
                <OperationLinks operations={operations} />
              </div>
            )}
          </li>
        ))}
        <li className="mt-4">
          <Place href="/docs/api/responses" name="Responses in detail" isCurrent={current === 'responses'} />
        </li>
      </ul>
    </nav>
  )
}

function Place({ href, name, isCurrent }: { href: string; name: string; isCurrent: boolean }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? 'page' : undefined}
      className="block py-0.5 text-ink hover:text-accent-ink aria-[current=page]:font-medium"
    >
      {name}
    </Link>
  )
}

/** The operations of a section, each with its method; without `section`, on the page that is shown. */
export function OperationLinks({ operations, section = '' }: { operations: Section['operations']; section?: string }) {
  return (
    <ul>
      {operations.map(({ method, operation }) => (
        // An address that was kept when all of them stood on one page still leads here.
        <li key={operation.operationId} id={section ? operation.operationId : undefined}>
          <a
            href={`${section}#${operation.operationId}`}
            className="flex items-baseline justify-between gap-2 py-0.5 text-ink-muted hover:text-ink"
          >
            <span className="min-w-0 truncate">{asWords(operation.operationId)}</span>
            <MethodWord method={method} />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** `createUploadLink` -> `Create upload link`. */
const asWords = (name: string) => {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
