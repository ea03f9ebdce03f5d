import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { NewTokenDialog, PasswordDialog, RevokeButton } from '@/components/settings/token-dialogs'
import { StatusBadge, type Tone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import type { Token } from '@/lib/domain/directory/schema'
import { listTokens } from '@/lib/domain/directory/tokens'
import { load } from '@/lib/http/load'
import { service } from '@/lib/service'

export const metadata: Metadata = { title: 'API tokens' }

const STATES: Record<Token['status'], { tone: Tone; word: string }> = {
  active: { tone: 'pass', word: 'Active' },
  expired: { tone: 'neutral', word: 'Expired' },
  revoked: { tone: 'neutral', word: 'Revoked' },
}

export default async function TokensPage() {
  const { tokens } = await load(listTokens)
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'API tokens' }]}>
      <PageHeader
        title="API tokens"
        description={
          <>
            With a token another system acts as you. What it can do is described in the{' '}
            <a href="/docs/api" className="link">
              interface reference
            </a>
            .
          </>
        }
        actions={
          <>
            <PasswordDialog />
            <NewTokenDialog baseUrl={service().outside.baseUrl} />
          </>
        }
      />
      <DataTable
        caption="Your API tokens"
        rows={tokens}
        rowKey={(token) => token.id}
        columns={[
          { key: 'name', header: 'Token', cell: (token) => token.name },
          {
            key: 'prefix',
            header: 'Begins with',
            width: '9rem',
            cell: (token) => <code className="font-mono">{token.prefix}…</code>,
          },
          {
            key: 'scope',
            header: 'May',
            width: '8.5rem',
            cell: (token) => (token.scope === 'read' ? 'Read' : 'Read and write'),
          },
          {
            key: 'status',
            header: 'State',
            width: '7.5rem',
            cell: (token) => <StatusBadge tone={STATES[token.status].tone}>{STATES[token.status].word}</StatusBadge>,
          },
          {
            key: 'expires',
            header: 'Expires',
            width: '11rem',
            cell: (token) => (token.expires_at ? <DateTime value={token.expires_at} /> : 'Never'),
          },
          {
            key: 'used',
            header: 'Last used',
            width: '9rem',
            wideOnly: true,
            cell: (token) =>
              token.last_used_at ? (
                <RelativeTime value={token.last_used_at} />
              ) : (
                <span className="text-ink-subtle">Not yet</span>
              ),
          },
        ]}
        rowActions={(token) => token.status === 'active' && <RevokeButton token={token} />}
        empty={
          <EmptyState icon={<KeyRound />} title="No tokens yet">
            Make one for each system that talks to Greenroom, so that each can be shut out by itself.
          </EmptyState>
        }
      />
    </Page>
  )
}
