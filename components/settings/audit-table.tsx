'use client'

import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { DataTable } from '@/components/ui/data-table'
import { DescriptionList } from '@/components/ui/description-list'
import { Drawer } from '@/components/ui/drawer'
import { EmptyState } from '@/components/ui/empty-state'
import { DateTime } from '@/components/ui/relative-time'
import type { AuditEvent } from '@/lib/domain/audit/schema'
import { eventLabel } from '@/lib/vocabulary'
import { outcomeOf } from './audit-words'

const ACTORS: Record<AuditEvent['actor']['type'], string> = {
  user: 'User',
  upload_link: 'Upload link',
  client: 'Client',
  guest: 'Review link',
  system: 'The service',
  anonymous: 'No account',
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null)
/** What it happened to, in the event's own words. */
const subjectOf = ({ data }: AuditEvent) =>
  textOf(data.file) ?? textOf(data.title) ?? textOf(data.name) ?? textOf(data.url) ?? textOf(data.label) ?? '–'

type Change = { field: string; before: unknown; after: unknown }

function changesOf({ data: { before, after } }: AuditEvent): Change[] {
  if (before === undefined && after === undefined) return []
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isRecord(before) || !isRecord(after)) return [{ field: 'value', before, after }]
  return Object.keys({ ...before, ...after }).map((field) => ({ field, before: before[field], after: after[field] }))
}

const shown = (value: unknown) =>
  value === null || value === undefined || value === '' ? 'nothing' : (textOf(value) ?? JSON.stringify(value))

/** The audit trail; a row opens to everything that is known of it. */
export function AuditTable({ events }: { events: AuditEvent[] }) {
  const [opened, setOpened] = useState<AuditEvent | null>(null)
  return (
    <>
      <DataTable
        caption="Audit trail, newest first"
        rows={events}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'type',
            header: 'Event',
            width: '14rem',
            cell: (event) => (
              <button
                type="button"
                className="text-left font-medium text-ink underline-offset-2 hover:underline"
                onClick={() => setOpened(event)}
              >
                {eventLabel(event.type)}
                {outcomeOf(event) && (
                  <span className="block text-xs font-normal text-ink-muted">{outcomeOf(event)}</span>
                )}
              </button>
            ),
          },
          {
            key: 'subject',
            header: 'Subject',
            cell: (event) => <span className="line-clamp-2 wrap-anywhere">{subjectOf(event)}</span>,
          },
          {
            key: 'actor',
            header: 'Person',
            width: '13rem',
            cell: ({ actor }) => (
              <span className="wrap-anywhere">
                {actor.name || 'Without a label'}
                {(actor.type === 'upload_link' || actor.type === 'guest') && (
                  <span className="text-ink-subtle"> · link</span>
                )}
              </span>
            ),
          },
          {
            key: 'address',
            header: 'Address',
            width: '9rem',
            wideOnly: true,
            cell: ({ address }) => address ?? <span className="text-ink-subtle">–</span>,
          },
          { key: 'at', header: 'Time', width: '12rem', cell: ({ created_at }) => <DateTime value={created_at} /> },
        ]}
        empty={
          <EmptyState icon={<ScrollText />} title="Nothing here">
            No event matches these filters. Choose fewer.
          </EmptyState>
        }
      />
      <Drawer
        open={opened !== null}
        onOpenChange={(open) => !open && setOpened(null)}
        title={opened ? eventLabel(opened.type) : ''}
        description={opened ? subjectOf(opened) : undefined}
        size="lg"
      >
        {opened && <Details event={opened} />}
      </Drawer>
    </>
  )
}

function Details({ event }: { event: AuditEvent }) {
  const changes = changesOf(event)
  const { before: _before, after: _after, ...facts } = event.data
  return (
    <div className="flex flex-col gap-6">
      <DescriptionList
        items={[
          { label: 'Person', value: `${event.actor.name || 'Without a label'} (${ACTORS[event.actor.type]})` },
          { label: 'Time', value: <DateTime value={event.created_at} /> },
          { label: 'Address', value: event.address },
          {
            label: 'Request',
            value: event.request_id && <code className="font-mono text-xs">{event.request_id}</code>,
          },
          { label: 'Event id', value: <code className="font-mono text-xs">{event.id}</code> },
          {
            label: 'Seal',
            value: event.seal ? (
              <>
                {event.seal.position}, <code className="font-mono text-xs">{event.seal.hash}</code>
              </>
            ) : (
              'Follows within seconds'
            ),
          },
        ]}
      />
      {changes.length > 0 && (
        <table className="w-full text-left text-sm">
          <caption className="pb-2 text-left font-medium">Before and after</caption>
          <thead className="text-xs text-ink-subtle">
            <tr>
              <th className="py-1 pr-4 font-medium">Field</th>
              <th className="py-1 pr-4 font-medium">Before</th>
              <th className="py-1 font-medium">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-4 font-normal text-ink-subtle">
                  {field}
                </th>
                <td className="py-1.5 pr-4 text-ink-muted wrap-anywhere">{shown(before)}</td>
                <td className="py-1.5 text-ink wrap-anywhere">{shown(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.keys(facts).length > 0 && <CodeBlock label="Details" code={JSON.stringify(facts, null, 2)} />}
    </div>
  )
}
