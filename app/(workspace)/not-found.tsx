import { SearchX } from 'lucide-react'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'

/** Also what a user sees who may not see the thing: the two are not distinguished. */
export default function WorkspaceNotFound() {
  return (
    <Page crumbs={[]}>
      <EmptyState
        icon={<SearchX />}
        title={<h1>There is nothing at this address</h1>}
        action={
          <>
            <LinkButton href="/projects">All projects</LinkButton>
            <LinkButton href="/search">Search</LinkButton>
          </>
        }
      >
        It was moved or removed, or you may not see it. If another user sent you the link, ask them whether it is still
        meant to work.
      </EmptyState>
    </Page>
  )
}
