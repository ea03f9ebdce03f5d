import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { CategoryForm } from '@/components/settings/category-form'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { describeChecks } from '@/lib/checks/described'
import { PRESETS } from '@/lib/checks/presets'
import { listDestinations } from '@/lib/domain/destinations/queries'
import { listAgencies } from '@/lib/domain/directory/queries'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'
import { simulate } from '../actions'

type Props = { params: Promise<{ media_category_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const category = await load(getMediaCategory, await params)
  return { title: category.name }
}

export default async function MediaCategoryPage({ params }: Props) {
  await requirePermission('directory.manage')
  const [category, { agencies }, { destinations }] = await Promise.all([
    load(getMediaCategory, await params),
    load(listAgencies, {}, { limit: '1' }),
    load(listDestinations),
  ])
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Media categories', href: '/settings/media-categories' },
        { label: category.name },
      ]}
    >
      <PageHeader
        title={category.name}
        badge={<Badge>Version {category.profile_version}</Badge>}
        back={{ href: '/settings/media-categories', label: 'Media categories' }}
        actions={<LinkButton href={`/settings/media-categories/${category.id}/versions`}>Versions</LinkButton>}
      />
      <CategoryForm
        key={category.id}
        category={category}
        etag={entityTag(category)}
        checks={describeChecks()}
        presets={PRESETS}
        agency={agencies[0] ?? null}
        destinations={destinations}
        simulate={simulate.bind(null, category.id)}
      />
    </Page>
  )
}
