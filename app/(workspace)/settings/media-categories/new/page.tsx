import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { CategoryForm } from '@/components/settings/category-form'
import { PageHeader } from '@/components/ui/page-header'
import { describeChecks } from '@/lib/checks/described'
import { PRESETS } from '@/lib/checks/presets'
import { listAgencies, listCampaigns } from '@/lib/domain/directory/queries'
import { load, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'New media category' }

export default async function NewMediaCategoryPage() {
  await requirePermission('directory.manage')
  const [{ agencies }, { campaigns }] = await Promise.all([load(listAgencies), load(listCampaigns)])
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Media categories', href: '/settings/media-categories' },
        { label: 'New' },
      ]}
    >
      <PageHeader title="New media category" back={{ href: '/settings/media-categories', label: 'Media categories' }} />
      <CategoryForm checks={describeChecks()} presets={PRESETS} agencies={agencies} campaigns={campaigns} />
    </Page>
  )
}
