import type { Metadata } from 'next'
import Link from 'next/link'
import { WithdrawDestination } from '@/components/destinations/import-destination'
import { Thresholds } from '@/components/destinations/thresholds'
import { Page } from '@/components/layout/page'
import { Badge, StatusBadge } from '@/components/ui/badge'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { DescriptionList } from '@/components/ui/description-list'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { getDestination } from '@/lib/domain/destinations/queries'
import { load, mayI } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

type Props = { params: Promise<{ destination_id: string }>; searchParams: Promise<{ version?: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const destination = await load(getDestination, await params)
  return { title: destination.title }
}

export default async function DestinationPage({ params, searchParams }: Props) {
  const [path, { version }] = await Promise.all([params, searchParams])
  const [destination, mayManage] = await Promise.all([
    load(getDestination, path, version ? { version } : {}),
    mayI('directory.manage'),
  ])
  const { source, versions, not_checked, withdrawn_at } = destination
  const isNewest = versions[0]?.version === destination.version
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Destinations', href: '/settings/destinations' },
        { label: destination.title },
      ]}
    >
      <PageHeader
        title={destination.title}
        badge={withdrawn_at ? <StatusBadge tone="warn">Withdrawn</StatusBadge> : undefined}
        meta={[
          LABELS.destinationFamily[destination.family],
          destination.kinds.map((kind) => LABELS.mediaKind[kind]).join(', '),
          `Version ${destination.version}`,
        ]}
        back={{ href: '/settings/destinations', label: 'Destinations' }}
        actions={
          mayManage &&
          destination.origin === 'imported' &&
          !withdrawn_at && <WithdrawDestination destination={destination} />
        }
      />
      {!isNewest && (
        <Callout tone="neutral">An earlier version. Files are evaluated by version {versions[0]?.version}.</Callout>
      )}
      <DataTable
        caption="Requirements"
        rows={destination.requirements.map((requirement, index) => ({ ...requirement, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          { key: 'label', header: 'Check', width: '13rem', cell: ({ label }) => label },
          { key: 'clause', header: 'What the document says', cell: ({ clause }) => clause },
          {
            key: 'thresholds',
            header: 'What is checked',
            width: '18rem',
            cell: ({ check, thresholds }) => <Thresholds check={check} thresholds={thresholds} />,
          },
          {
            key: 'level',
            header: 'Level',
            width: '9rem',
            cell: ({ level }) => (level === 'required' ? 'Required' : <Badge>Recommended</Badge>),
          },
        ]}
        empty={<EmptyState title="No requirements" />}
      />
      <Card>
        <CardHeader title="Source" />
        <CardBody>
          <DescriptionList
            items={[
              { label: 'Publisher', value: source.publisher },
              {
                label: 'Document',
                value: (
                  <a href={source.url} className="link wrap-anywhere" rel="noreferrer" target="_blank">
                    {source.document}
                  </a>
                ),
              },
              { label: 'Edition', value: source.date },
              { label: 'Maintained by', value: destination.maintained_by },
              { label: 'Id', value: <code className="font-mono text-xs">{destination.id}</code> },
              ...(not_checked.length > 0
                ? [
                    {
                      label: 'Not measured',
                      value: (
                        <ul className="flex flex-col gap-1">
                          {not_checked.map((what) => (
                            <li key={what}>{what}</li>
                          ))}
                        </ul>
                      ),
                    },
                  ]
                : []),
              ...(destination.origin === 'imported'
                ? [
                    {
                      label: 'Versions',
                      value: (
                        <ul className="flex flex-col gap-1">
                          {versions.map((each, index) => {
                            const before = versions[index + 1]
                            return (
                              <li key={each.version}>
                                <Link href={`?version=${each.version}`} className="link">
                                  Version {each.version}
                                </Link>
                                {each.imported_by && `, ${each.imported_by.name}, `}
                                {each.imported_at && <RelativeTime value={each.imported_at} />}
                                {before && (
                                  <>
                                    {' · '}
                                    <Link
                                      href={`/settings/destinations/${destination.id}/changes?from=${before.version}&to=${each.version}`}
                                      className="link"
                                    >
                                      Changes from version {before.version}
                                    </Link>
                                  </>
                                )}
                              </li>
                            )
                          })}
                        </ul>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </CardBody>
      </Card>
    </Page>
  )
}
