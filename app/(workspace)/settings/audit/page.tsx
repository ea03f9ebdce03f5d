import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { Page } from '@/components/layout/page'
import { AuditTable } from '@/components/settings/audit-table'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { listAuditEvents } from '@/lib/domain/audit/queries'
import { getUser } from '@/lib/domain/directory/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { load, loadIfThere, requirePermission } from '@/lib/http/load'
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
  const [{ events, next_cursor }, person, project] = await Promise.all([
    load(listAuditEvents, {}, { ...chosen, limit: String(PAGE_SIZE) }),
    filters.actor_id ? loadIfThere(getUser, { user_id: filters.actor_id }) : null,
    filters.project_id ? loadIfThere(getProject, { project_id: filters.project_id }) : null,
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
          filters={[{ param: 'type', label: 'Event', options: types.sort((a, b) => a.label.localeCompare(b.label)) }]}
          more={{
            params: ['actor_id', 'project_id'],
            children: (
              <>
                <ChoiceFilter
                  param="actor_id"
                  label="Person"
                  from="people"
                  chosen={person && { id: person.id, name: person.name }}
                />
                <ChoiceFilter
                  param="project_id"
                  label="Project"
                  from="projects"
                  chosen={project && { id: project.id, name: project.name }}
                />
              </>
            ),
          }}
          noun={['event', 'events']}
          shown={cursor || next_cursor ? undefined : events.length}
        />
      </Suspense>
      <AuditTable events={events} />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
