import { Scale } from 'lucide-react'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import type { Overruled } from '@/lib/domain/analytics/schema'
import { formatNumber } from '@/lib/format'
import { share } from './wording'

/** What reviewers made of failed checks, by check and by the profile of its category. */
export function OverruledTable({ checks }: { checks: readonly Overruled[] }) {
  return (
    <DataTable
      caption="Failed checks that reviewers overrule"
      rows={checks}
      rowKey={({ check_id, profile }) => `${check_id} ${profile.media_category.id} ${profile.version}`}
      columns={[
        { key: 'check', header: 'Check', cell: ({ label }) => label },
        {
          key: 'profile',
          header: 'Profile',
          cell: ({ profile }) => `${profile.media_category.name}, version ${profile.version}`,
        },
        { key: 'findings', header: 'Decided', align: 'end', cell: ({ findings }) => formatNumber(findings) },
        { key: 'overruled', header: 'Overruled', align: 'end', cell: ({ overruled }) => formatNumber(overruled) },
        { key: 'rate', header: 'Rate', align: 'end', cell: ({ overrule_rate }) => share(overrule_rate) },
      ]}
      empty={
        <EmptyState icon={<Scale />} title="No failed check was decided on">
          A failed check counts once it is waived, or its file is approved or rejected.
        </EmptyState>
      }
    />
  )
}
