'use client'

import { useRouter } from 'next/navigation'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { apiRequest } from '@/lib/client/api'
import { AGENCIES, campaignsOf, MEDIA_CATEGORIES, nameOf, noteName } from '@/lib/client/choices'
import type { Project } from '@/lib/domain/projects/schema'
import { LABELS, PROJECT_STATUSES, type ProjectStatus } from '@/lib/vocabulary'

type Values = {
  name: string
  status: ProjectStatus
  agency_id: string
  campaign_id: string | null
  media_category_id: string | null
}

const EMPTY: Values = { name: '', status: 'active', agency_id: '', campaign_id: null, media_category_id: null }

const valuesOf = (project: Project): Values => {
  const { agency, campaign, media_category } = project
  for (const ref of [agency, campaign, media_category]) if (ref) noteName(ref)
  return {
    name: project.name,
    status: project.status,
    agency_id: agency.id,
    campaign_id: campaign?.id ?? null,
    media_category_id: media_category?.id ?? null,
  }
}

/** The form of a project: a new one, or the one given. */
export function ProjectDialog({
  project,
  etag = '',
  opening: [isOpen, setOpen],
}: {
  project?: Project
  etag?: string
  opening: [boolean, (isOpen: boolean) => void]
}) {
  const router = useRouter()
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={setOpen}
      title={project ? 'Edit project' : 'New project'}
      description={project ? undefined : 'It holds the batches of files that one agency delivers.'}
      {...(project
        ? {
            edited: {
              resource: project,
              etag,
              valuesOf,
              fields: {
                name: 'Name',
                status: { label: 'Status', show: (status: ProjectStatus) => LABELS.projectStatus[status] },
                agency_id: { label: 'Agency', show: nameOf },
                campaign_id: { label: 'Campaign', show: nameOf },
                media_category_id: { label: 'Media category', show: nameOf },
              },
            },
          }
        : { defaultValues: EMPTY })}
      request={({ status, ...body }: Values) =>
        project
          ? apiRequest('PATCH /api/projects/{project_id}', {
              params: { project_id: project.id },
              body: { ...body, status },
            })
          : apiRequest('POST /api/projects', { body })
      }
      success={project ? 'Project saved' : 'Project created'}
      onSuccess={(saved) => {
        if (!project) router.push(`/projects/${saved.id}`)
      }}
      submitLabel={project ? 'Save' : 'Create project'}
    >
      {(form) => <ProjectFields form={form} project={project} />}
    </FormDialog>
  )
}

function ProjectFields({ form, project }: { form: UseFormReturn<Values>; project: Project | undefined }) {
  const { errors } = form.formState
  const agencyId = form.watch('agency_id')
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input
          {...form.register('name', { required: 'Give the project a name.' })}
          maxLength={200}
          autoComplete="off"
        />
      </Field>
      <Field label="Agency" name="agency_id" error={errors.agency_id?.message}>
        <Controller
          control={form.control}
          name="agency_id"
          rules={{ required: 'Choose the agency that delivers.' }}
          render={({ field }) => (
            <RemoteCombobox
              source={AGENCIES}
              chosen={project?.agency}
              value={field.value || null}
              onValueChange={(value) => {
                field.onChange(value ?? '')
                // A campaign belongs to one agency; another agency's cannot stay.
                form.setValue('campaign_id', null)
              }}
              onBlur={field.onBlur}
              placeholder="Find an agency"
            />
          )}
        />
      </Field>
      <Field
        label="Campaign"
        name="campaign_id"
        optional
        error={errors.campaign_id?.message}
        hint={agencyId ? undefined : 'Choose the agency first.'}
      >
        <Controller
          control={form.control}
          name="campaign_id"
          render={({ field }) => (
            <RemoteCombobox
              source={campaignsOf(agencyId)}
              chosen={project?.campaign}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              placeholder="None"
              disabled={!agencyId}
              clearable
            />
          )}
        />
      </Field>
      <Field
        label="Media category"
        name="media_category_id"
        optional
        error={errors.media_category_id?.message}
        hint="Batches take their naming rules and checks from it, unless they say otherwise."
      >
        <Controller
          control={form.control}
          name="media_category_id"
          render={({ field }) => (
            <RemoteCombobox
              source={MEDIA_CATEGORIES}
              chosen={project?.media_category}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              placeholder="None"
              clearable
            />
          )}
        />
      </Field>
      {project && (
        <Field
          label="Status"
          name="status"
          error={errors.status?.message}
          hint="On hold pauses uploads by link and submitting. Completed, cancelled and archived close the project."
        >
          <Controller
            control={form.control}
            name="status"
            render={({ field }) => (
              <Select
                options={PROJECT_STATUSES.map((value) => ({ value, label: LABELS.projectStatus[value] }))}
                value={field.value}
                onValueChange={field.onChange}
              />
            )}
          />
        </Field>
      )}
    </>
  )
}
