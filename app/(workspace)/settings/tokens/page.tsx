import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { NewTokenDialog, RevokeButton } from '@/components/settings/token-dialogs'
import { StatusBadge, type Tone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { listUsers } from '@/lib/domain/directory/queries'
import type { Token } from '@/lib/domain/directory/schema'
import { listTokens } from '@/lib/domain/directory/tokens'
import { load, mayI } from '@/lib/http/load'
import { service } from '@/lib/service'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'API tokens' }

const STATES: Record<Token['status'], { tone: Tone; word: string }> = {
  active: { tone: 'pass', word: 'Active' },
  expired: { tone: 'neutral', word: 'Expired' },
  revoked: { tone: 'neutral', word: 'Revoked' },
}

export default async function TokensPage({
  searchParams,
}: {
  searchParams: Promise<{ user_id?: string; cursor?: string }>
}) {
  const { user_id: whose, cursor } = await searchParams
  const seesOthers = await mayI('tokens.of_others')
  const isOfOthers = seesOthers && Boolean(whose)
  const chosen = { ...(isOfOthers && whose && { user_id: whose }) }
  const hrefOf = (more: Record<string, string>) => `/settings/tokens?${new URLSearchParams({ ...chosen, ...more })}`
  const [{ tokens, next_cursor }, people] = await Promise.all([
    load(listTokens, {}, { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) }),
    seesOthers ? load(listUsers) : null,
  ])
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
        actions={<NewTokenDialog baseUrl={service().ports.baseUrl} />}
      />
      {people && (
        <FilterBar
          filters={[
            {
              param: 'user_id',
              label: 'Owner',
              options: [
                { value: 'all', label: 'All users’' },
                ...people.users.map(({ id, name }) => ({ value: id, label: name })),
              ],
            },
          ]}
          noun={['token', 'tokens']}
          shown={cursor || next_cursor ? undefined : tokens.length}
        />
      )}
      <DataTable
        caption={isOfOthers ? 'API tokens' : 'Your API tokens'}
        rows={tokens}
        rowKey={(token) => token.id}
        columns={[
          { key: 'name', header: 'Token', cell: (token) => token.name },
          ...(isOfOthers
            ? [{ key: 'user', header: 'Acts as', width: '12rem', cell: (token: Token) => token.user.name }]
            : []),
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
          <EmptyState icon={<KeyRound />} title={isOfOthers ? 'No tokens here' : 'You have no tokens yet'}>
            {isOfOthers
              ? 'The chosen users have made none.'
              : 'Make one for each system that talks to Greenroom, so that each can be shut out by itself.'}
          </EmptyState>
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
