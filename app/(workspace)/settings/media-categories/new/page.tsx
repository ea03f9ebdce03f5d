import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { CategoryForm } from '@/components/settings/category-form'
import { PageHeader } from '@/components/ui/page-header'
import { describeChecks } from '@/lib/checks/described'
import { PRESETS } from '@/lib/checks/presets'
import { listDestinations } from '@/lib/domain/destinations/queries'
import { listAgencies } from '@/lib/domain/directory/queries'
import { load, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'New media category' }

export default async function NewMediaCategoryPage() {
  await requirePermission('directory.manage')
  const [{ agencies }, { destinations }] = await Promise.all([
    load(listAgencies, {}, { limit: '1' }),
    load(listDestinations),
  ])
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Media categories', href: '/settings/media-categories' },
        { label: 'New' },
      ]}
    >
      <PageHeader title="New media category" back={{ href: '/settings/media-categories', label: 'Media categories' }} />
      <CategoryForm
        checks={describeChecks()}
        presets={PRESETS}
        agency={agencies[0] ?? null}
        destinations={destinations}
      />
    </Page>
  )
}
