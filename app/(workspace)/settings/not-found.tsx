import { Lock } from 'lucide-react'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'

/** What is not there and what is not for one's role get the same page: the two are not distinguished. */
export default function SettingsNotFound() {
  return (
    <Page crumbs={[{ label: 'Settings' }]}>
      <EmptyState
        icon={<Lock />}
        title={<h1>Not for your role, or not there</h1>}
        action={
          <>
            <LinkButton href="/settings/account">Your account</LinkButton>
            <LinkButton href="/settings/tokens">API tokens</LinkButton>
          </>
        }
      >
        Agencies, campaigns, media categories, users and the service are set up by administrators. Ask one if something
        there should change.
      </EmptyState>
    </Page>
  )
}
