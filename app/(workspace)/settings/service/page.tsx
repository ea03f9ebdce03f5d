import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Page } from '@/components/layout/page'
import { PreQcSwitch } from '@/components/settings/pre-qc-switch'
import { StatusText } from '@/components/ui/badge'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { PageHeader } from '@/components/ui/page-header'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { getServiceSettings } from '@/lib/domain/settings/queries'
import { readiness } from '@/lib/http/health'
import { load, requirePermission } from '@/lib/http/load'
import { newContext } from '@/lib/service'
import { switchPreQc } from './actions'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  await requirePermission('settings.manage')
  const settings = await load(getServiceSettings)
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Service' }]} width="narrow">
      <PageHeader title="Service" description="Settings for all users, and the state of the service." />
      <Card>
        <CardHeader title="Pre-QC" description="Each media category can be switched off by itself, too." />
        <CardBody>
          <PreQcSwitch isEnabled={settings.pre_qc_enabled} change={switchPreQc} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Health" description="As a load balancer sees it at /api/health/ready." />
        <CardBody>
          <Suspense
            fallback={
              <Loading label="health" className="flex flex-col gap-3">
                <Skeleton className="w-1/2" />
                <Skeleton className="w-1/2" />
                <Skeleton className="w-1/2" />
              </Loading>
            }
          >
            <Health />
          </Suspense>
        </CardBody>
      </Card>
    </Page>
  )
}

const PARTS: Readonly<Record<string, string>> = {
  database: 'Database',
  storage: 'File storage',
  worker: 'Worker (checks and previews)',
  sandbox: 'Sandbox (processes that decode files)',
}

const STATES: Readonly<Record<string, string>> = { ok: 'Working', off: 'Switched off' }

async function Health() {
  const parts = await readiness(newContext({ actor: await requirePermission('settings.manage') }))
  return (
    <DescriptionList
      items={parts.map(({ name, state, problem }) => ({
        label: PARTS[name] ?? name,
        value:
          problem !== null ? (
            <span className="flex flex-wrap items-baseline gap-x-2">
              <StatusText tone="fail">Not available</StatusText> <span className="text-ink-muted">{problem}</span>
            </span>
          ) : (
            <StatusText tone={state === 'ok' ? 'pass' : 'neutral'}>{STATES[state] ?? state}</StatusText>
          ),
      }))}
    />
  )
}
