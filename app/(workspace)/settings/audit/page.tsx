import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Page } from '@/components/layout/page'
import { AuditTable } from '@/components/settings/audit-table'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { listAuditEvents } from '@/lib/domain/audit/queries'
import { listUsers } from '@/lib/domain/directory/queries'
import { listProjects } from '@/lib/domain/projects/queries'
import { load, requirePermission } from '@/lib/http/load'
import { AUDIT_TYPES, EVENT_TYPES, eventLabel } from '@/lib/vocabulary'

const PAGE_SIZE = 50
const PARAMS = ['type', 'actor_id', 'project_id', 'batch_id', 'subject_id', 'from', 'to', 'cursor'] as const

export const metadata: Metadata = { title: 'Audit trail' }

export default async function AuditPage({
  searchParams,
}: {
  searchParams: Promise<Partial<Record<(typeof PARAMS)[number], string>>>
}) {
  await requirePermission('audit.read')
  const asked = await searchParams
  const chosen = Object.fromEntries(PARAMS.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])))
  const { cursor, ...filters } = chosen
  const [{ events, next_cursor }, { users }, { projects }] = await Promise.all([
    load(listAuditEvents, {}, { ...chosen, limit: String(PAGE_SIZE) }),
    load(listUsers),
    load(listProjects, {}, { limit: '200' }),
  ])
  const hrefOf = (more: Record<string, string>) => `/settings/audit?${new URLSearchParams({ ...filters, ...more })}`
  const types = [...EVENT_TYPES, ...AUDIT_TYPES].map((value) => ({ value, label: eventLabel(value) }))
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Audit trail' }]}>
      <PageHeader
        title="Audit trail"
        description="Everything that happened, by whom and from where. Nothing here can be changed or removed; each event is sealed with the hash of all before it, and npm run audit:verify on the server checks the chain."
      />
      <Suspense>
        <FilterBar
          filters={[
            { param: 'type', label: 'Event', options: types.sort((a, b) => a.label.localeCompare(b.label)) },
            {
              param: 'actor_id',
              label: 'Person',
              any: 'Anybody',
              options: users.map(({ id, name }) => ({ value: id, label: name })),
            },
            {
              param: 'project_id',
              label: 'Project',
              options: projects.map(({ id, name }) => ({ value: id, label: name })),
            },
          ]}
          noun={['event', 'events']}
          shown={cursor || next_cursor ? undefined : events.length}
        />
      </Suspense>
      <AuditTable events={events} />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
