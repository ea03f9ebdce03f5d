import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { RestoreVersion } from '@/components/settings/restore-version'
import { SettingChanges } from '@/components/settings/setting-changes'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { controlSize, controlStyles } from '@/components/ui/control-styles'
import { PageHeader } from '@/components/ui/page-header'
import { DateTime } from '@/components/ui/relative-time'
import { describeChecks } from '@/lib/checks/described'
import { listProfiles, type Profile } from '@/lib/domain/settings/profiles'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { compareSettings } from '@/lib/domain/settings/rules'
import { load, requirePermission } from '@/lib/http/load'

type Props = {
  params: Promise<{ media_category_id: string }>
  searchParams: Promise<{ from?: string; to?: string }>
}

export const metadata: Metadata = { title: 'Versions' }

export default async function VersionsPage({ params, searchParams }: Props) {
  await requirePermission('directory.manage')
  const path = await params
  const [category, { profiles }, asked] = await Promise.all([
    load(getMediaCategory, path),
    load(listProfiles, path),
    searchParams,
  ])
  const checks = describeChecks()
  const versionOf = (text: string | undefined) => profiles.find(({ version }) => String(version) === text)
  const [from, to] = [versionOf(asked.from), versionOf(asked.to)]
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Media categories', href: '/settings/media-categories' },
        { label: category.name, href: `/settings/media-categories/${category.id}` },
        { label: 'Versions' },
      ]}
      width="narrow"
    >
      <PageHeader
        title="Versions"
        description="Every change that files are validated by. A result names the version it was made with."
        back={{ href: `/settings/media-categories/${category.id}`, label: category.name }}
      />
      {profiles.length > 1 && <Comparer profiles={profiles} from={from} to={to} />}
      {from && to && (
        <Card>
          <CardHeader title={`From version ${from.version} to version ${to.version}`} />
          <CardBody>
            <Difference profile={to} changes={compareSettings(from.settings, to.settings)} checks={checks} />
          </CardBody>
        </Card>
      )}
      <ol className="flex flex-col gap-4">
        {profiles.map((profile, index) => (
          <li key={profile.id}>
            <Card>
              <CardHeader
                title={
                  <span className="inline-flex items-center gap-2">
                    Version {profile.version}
                    {index === 0 && <Badge tone="accent">In use</Badge>}
                  </span>
                }
                description={
                  <>
                    {profile.created_by?.name ?? 'Greenroom'}, <DateTime value={profile.created_at} />
                  </>
                }
                actions={
                  index > 0 && (
                    <RestoreVersion categoryId={category.id} version={profile.version} settings={profile.settings} />
                  )
                }
              />
              <CardBody className="pt-2">
                <Difference profile={profile} changes={profile.changes} checks={checks} />
              </CardBody>
            </Card>
          </li>
        ))}
      </ol>
    </Page>
  )
}

function Difference({
  profile,
  changes,
  checks,
}: {
  profile: Profile
  changes: Profile['changes']
  checks: ReturnType<typeof describeChecks>
}) {
  if (changes.length > 0) return <SettingChanges changes={changes} checks={checks} />
  return (
    <p className="text-sm text-ink-muted">
      {profile.version === 1 ? 'The first version.' : 'The checks are the same.'}
    </p>
  )
}

/** Any two versions against each other: a plain form, its state is the address. */
function Comparer({
  profiles,
  from,
  to,
}: {
  profiles: readonly Profile[]
  from: Profile | undefined
  to: Profile | undefined
}) {
  const field = cn(controlStyles, controlSize.md, 'w-auto')
  const options = profiles.map(({ version }) => (
    <option key={version} value={version}>
      Version {version}
    </option>
  ))
  return (
    <form className="flex flex-wrap items-center gap-2 text-sm text-ink-muted">
      <label className="flex items-center gap-2">
        Compare
        <select name="from" defaultValue={from?.version ?? profiles[1]?.version} className={field}>
          {options}
        </select>
      </label>
      <label className="flex items-center gap-2">
        with
        <select name="to" defaultValue={to?.version ?? profiles[0]?.version} className={field}>
          {options}
        </select>
      </label>
      <Button type="submit">Show the difference</Button>
    </form>
  )
}
