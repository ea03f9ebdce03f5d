'use client'

import { Ban, Plus } from 'lucide-react'
import { FormDialog } from '@/components/forms/form-dialog'
import { expiryOf, type Lifetime, LifetimeField } from '@/components/forms/works-for'
import { Button } from '@/components/ui/button'
import { CopyField } from '@/components/ui/code-block'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { ScorecardLink } from '@/lib/domain/scorecards/schema'

/** Makes a link to an agency's scorecard, and shows it ready to send. */
export function NewScorecardLinkDialog({ agency }: { agency: { id: string; name: string } }) {
  return (
    <FormDialog
      title={`Scorecard link for ${agency.name}`}
      description="Anyone with the link reads this agency’s metrics of all projects, and no other agency’s."
      trigger={
        <Button variant="primary">
          <Plus />
          New link
        </Button>
      }
      defaultValues={{ lifetime: '90' }}
      request={({ lifetime }: { lifetime: Lifetime }) =>
        apiRequest('POST /api/agencies/{agency_id}/scorecard-links', {
          params: { agency_id: agency.id },
          body: expiryOf(lifetime),
        })
      }
      success="Link created"
      submitLabel="Create link"
      result={(link) => <CopyField value={link.url} label="Scorecard link" />}
    >
      {({ control }) => <LifetimeField control={control} name="lifetime" days={[30, 90, 365]} />}
    </FormDialog>
  )
}

/** Withdraws a link, after asking. */
export function WithdrawScorecardLink({ link }: { link: ScorecardLink }) {
  const withdraw = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/scorecard-links/{scorecard_link_id}', { params: { scorecard_link_id: link.id } }),
    success: 'Link withdrawn',
  })
  return (
    <ConfirmDialog
      title="Withdraw this scorecard link?"
      confirmLabel="Withdraw link"
      onConfirm={() => withdraw.mutateAsync()}
      trigger={<IconButton label={`Withdraw ${link.url}`} icon={<Ban />} />}
    >
      From now on it says that it was withdrawn. This cannot be undone; you can make a new link.
    </ConfirmDialog>
  )
}
