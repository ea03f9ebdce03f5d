'use client'

import { Pencil, Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { DialogButton } from '@/components/forms/dialog-button'
import { useOpenByAddress } from '@/lib/client/use-open-by-address'
import type { Project } from '@/lib/domain/projects/schema'

const load = () => import('./project-dialog').then((module) => module.ProjectDialog)
const ProjectDialog = dynamic(load, { ssr: false })

/** Opens the form for a new project; `c` does, too. */
export function NewProjectButton() {
  const opening = useOpenByAddress('new')
  return (
    <DialogButton variant="primary" opening={opening} load={load} dialog={<ProjectDialog opening={opening} />}>
      <Plus />
      New project
    </DialogButton>
  )
}

export function EditProjectButton({ project, etag }: { project: Project; etag: string }) {
  const opening = useState(false)
  return (
    <DialogButton
      variant="secondary"
      opening={opening}
      load={load}
      dialog={<ProjectDialog project={project} etag={etag} opening={opening} />}
    >
      <Pencil />
      Edit
    </DialogButton>
  )
}
