import { Plus, Shapes } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { StatusText } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { listMediaCategories } from '@/lib/domain/settings/queries'
import { load, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Media categories' }

export default async function MediaCategoriesPage() {
  await requirePermission('directory.manage')
  const { media_categories } = await load(listMediaCategories)
  const add = (
    <LinkButton href="/settings/media-categories/new" variant="primary">
      <Plus />
      New media category
    </LinkButton>
  )
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Media categories' }]}>
      <PageHeader
        title="Media categories"
        description="How files of a kind are named, which types are taken, and what is checked."
        actions={add}
      />
      <DataTable
        caption="Media categories"
        rows={media_categories}
        rowKey={(category) => category.id}
        rowHref={(category) => `/settings/media-categories/${category.id}`}
        columns={[
          { key: 'name', header: 'Category', width: '15rem', cell: (category) => category.name },
          {
            key: 'template',
            header: 'Naming template',
            cell: (category) =>
              category.naming_template ? (
                <code className="font-mono text-xs wrap-anywhere">{category.naming_template}</code>
              ) : (
                <span className="text-ink-subtle">Any portable name</span>
              ),
          },
          {
            key: 'types',
            header: 'Types',
            width: '7rem',
            cell: (category) => (category.media_types.length === 0 ? 'All' : category.media_types.length),
          },
          {
            key: 'pre_qc',
            header: 'Pre-QC',
            width: '7rem',
            cell: (category) =>
              category.pre_qc.enabled ? (
                <StatusText tone="pass">On</StatusText>
              ) : (
                <StatusText tone="neutral">Off</StatusText>
              ),
          },
        ]}
        empty={
          <EmptyState icon={<Shapes />} title="No media categories yet" action={add}>
            A batch needs one: it says how files are named and what they are checked for.
          </EmptyState>
        }
      />
    </Page>
  )
}
