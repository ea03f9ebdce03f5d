import { Plus, Users } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { UserActions } from '@/components/settings/user-actions'
import { NewUserDialog } from '@/components/settings/user-dialogs'
import { Person } from '@/components/ui/avatar'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { listUsers } from '@/lib/domain/directory/queries'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS, ROLES } from '@/lib/vocabulary'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Users' }

type Search = { q?: string; role?: string; cursor?: string }

export default async function UsersPage({ searchParams }: { searchParams: Promise<Search> }) {
  await requirePermission('users.manage')
  const { q, role, cursor } = await searchParams
  const chosen = { ...(q && { q }), ...(role && { role }) }
  const { users, next_cursor } = await load(
    listUsers,
    {},
    { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) },
  )
  const hrefOf = (more: Record<string, string>) => `/settings/users?${new URLSearchParams({ ...chosen, ...more })}`
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Users' }]}>
      <PageHeader
        title="Users"
        description="Who may sign in. Each role has all rights of those before it: viewer, operator, coordinator, administrator."
        actions={
          <NewUserDialog
            trigger={
              <Button variant="primary">
                <Plus />
                New user
              </Button>
            }
          />
        }
      />
      <FilterBar
        search={{ label: 'Search users' }}
        filters={[
          { param: 'role', label: 'Role', options: ROLES.map((value) => ({ value, label: LABELS.role[value] })) },
        ]}
        noun={['user', 'users']}
        shown={cursor || next_cursor ? undefined : users.length}
      />
      <DataTable
        caption="Users"
        rows={users}
        rowKey={(user) => user.id}
        columns={[
          { key: 'name', header: 'Name', cell: (user) => <Person name={user.name} /> },
          { key: 'email', header: 'E-mail', width: '18rem', cell: (user) => (user.erased_at ? null : user.email) },
          { key: 'role', header: 'Role', width: '9rem', cell: (user) => LABELS.role[user.role] },
          {
            key: 'state',
            header: 'State',
            width: '8rem',
            cell: (user) =>
              user.erased_at ? (
                <StatusBadge tone="neutral">Erased</StatusBadge>
              ) : user.disabled_at ? (
                <StatusBadge tone="neutral">Disabled</StatusBadge>
              ) : (
                <StatusBadge tone="pass">Active</StatusBadge>
              ),
          },
          {
            key: 'created',
            header: 'Added',
            width: '8rem',
            wideOnly: true,
            cell: (user) => <RelativeTime value={user.created_at} />,
          },
        ]}
        rowActions={(user) => (user.erased_at ? null : <UserActions user={user} etag={entityTag(user)} />)}
        empty={
          <EmptyState icon={<Users />} title="No user matches">
            Try another word or another role.
          </EmptyState>
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
