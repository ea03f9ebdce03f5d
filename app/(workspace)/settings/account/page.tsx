import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { MailPreferences } from '@/components/settings/mail-preferences'
import { PasswordForm } from '@/components/settings/password-form'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { DateTime } from '@/components/ui/relative-time'
import { getMe } from '@/lib/domain/directory/queries'
import { getMailPreferences } from '@/lib/domain/notifications/preferences'
import { load } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Your account' }

export default async function AccountPage() {
  const [me, mail] = await Promise.all([load(getMe), load(getMailPreferences)])
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Your account' }]} width="narrow">
      <PageHeader title="Your account" />
      <Card>
        <CardHeader
          title="Who you are"
          description="An administrator changes these."
          actions={<LinkButton href="/settings/tokens">API tokens</LinkButton>}
        />
        <CardBody>
          <DescriptionList
            items={[
              { label: 'Name', value: me.name },
              { label: 'E-mail', value: me.email },
              { label: 'Role', value: LABELS.role[me.role] },
              { label: 'Since', value: <DateTime value={me.created_at} /> },
            ]}
          />
        </CardBody>
      </Card>
      <MailPreferences {...mail} />
      <PasswordForm email={me.email} />
    </Page>
  )
}
