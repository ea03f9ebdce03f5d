'use client'

import { UserPlus, X } from 'lucide-react'
import { useState } from 'react'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Card, CardHeader } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { apiRequest } from '@/lib/client/api'
import { EVERYBODY } from '@/lib/client/choices'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Member } from '@/lib/domain/projects/schema'
import { LABELS } from '@/lib/vocabulary'

/** Who sees the project, and why. */
export function MembersPanel({
  projectId,
  members,
  mayManage,
}: {
  projectId: string
  members: readonly Member[]
  mayManage: boolean
}) {
  return (
    <Card>
      <CardHeader title="Members" actions={mayManage && <AddMember projectId={projectId} members={members} />} />
      <p className="px-5 pb-3 text-sm text-ink-muted">
        They see this project and all in it. Administrators see every project.
      </p>
      <ul className="flex flex-col gap-2.5 px-5 pb-5">
        {members.map((member) => (
          <li key={member.user.id} className="flex items-center gap-2 text-sm">
            <Avatar name={member.user.name} />
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{member.user.name}</span>
              <span className="block text-xs text-ink-subtle">
                {[
                  LABELS.role[member.role],
                  ...member.reasons
                    .filter((reason) => reason !== 'added')
                    .map((reason) => LABELS.memberReason[reason].toLowerCase()),
                ].join(', ')}
              </span>
            </span>
            {mayManage && <RemoveMember projectId={projectId} member={member} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function AddMember({ projectId, members }: { projectId: string; members: readonly Member[] }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const add = useApiMutation({
    request: (user_id: string) =>
      apiRequest('PUT /api/projects/{project_id}/members/{user_id}', { params: { project_id: projectId, user_id } }),
    success: ({ user }) => `${user.name} added`,
    onSuccess: () => {
      setChosen(null)
      setOpen(false)
    },
  })
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-80 max-w-[calc(100vw-1rem)]"
      trigger={<IconButton label="Add a member" size="sm" icon={<UserPlus />} />}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen) add.mutate(chosen)
        }}
      >
        <RemoteCombobox
          aria-label="Person to add"
          source={EVERYBODY}
          without={members.map(({ user }) => user.id)}
          value={chosen}
          onValueChange={setChosen}
          placeholder="Find a person"
        />
        <Button type="submit" variant="primary" disabled={!chosen} loading={add.isPending} className="self-end">
          Add member
        </Button>
      </form>
    </Popover>
  )
}

function RemoveMember({ projectId, member: { user } }: { projectId: string; member: Member }) {
  const remove = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/projects/{project_id}/members/{user_id}', {
        params: { project_id: projectId, user_id: user.id },
      }),
    success: `${user.name} removed`,
    // The question stays open and shows why.
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      title={`Remove ${user.name} from this project?`}
      confirmLabel="Remove"
      onConfirm={() => remove.mutateAsync()}
      trigger={<IconButton label={`Remove ${user.name}`} size="sm" icon={<X />} />}
    >
      They no longer see it. What they did here stays.
    </ConfirmDialog>
  )
}
