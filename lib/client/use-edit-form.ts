'use client'

import { useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { type ApiProblem, type ApiRequest, fetchResponse } from './api'
import { type ApiMutationOptions, useApiMutation } from './use-api-mutation'
import { isSame, theirChanges, type Versions, withMyChanges, withTheirChanges } from './versions'

/** What a form edits: the resource and its ETag come from one read, and the form is filled from it. */
export type Edited<Values, Resource> = {
  resource: Resource
  etag: string
  valuesOf: (resource: Resource) => Values
  /** What the fields are called, and how a value is written that is not written as it stands. */
  fields: { [Field in keyof Values]?: string | { label: string; show: (value: Values[Field]) => string } }
}

/** Another user saved the resource after the form was filled, and something would be overwritten. */
export type EditConflict<Values> = {
  changedBy: { name: string; is_you: boolean } | null
  versions: Versions<Values>
  etag: string
}

/** What a form begins with: the thing as the page shows it, or the values of something new. */
export type Beginning<Values, Resource> =
  | { edited: Edited<Values, Resource>; defaultValues?: undefined }
  | { edited?: undefined; defaultValues: Values }

type Options<Values extends FieldValues, Output> = Omit<
  ApiMutationOptions<Output, Values, Values>,
  'form' | 'onProblem' | 'resolveStale'
> &
  Beginning<NoInfer<Values>, NoInfer<Output>>

/**
 * What this tab saved, by the ETags it was saved over. The page shows one of those versions until it is refreshed, and
 * once more when a refresh was under way; a form opened meanwhile begins with what was saved.
 */
const savedOver = new Map<string, { resource: unknown; until: number }>()
const REFRESHED_WITHIN_MS = 10_000

function rememberSaved(resource: unknown, etags: readonly (string | undefined)[]) {
  const now = Date.now()
  for (const [etag, { until }] of savedOver) if (until < now) savedOver.delete(etag)
  for (const etag of etags) if (etag) savedOver.set(etag, { resource, until: now + REFRESHED_WITHIN_MS })
}

/** Keeps the page's ETag: what another user saved after this tab is found when the form is saved. */
function newestOf<Values, Resource>({ resource, etag, valuesOf }: Edited<Values, Resource>) {
  const saved = savedOver.get(etag)
  const isRecent = saved !== undefined && saved.until >= Date.now()
  return { etag, values: valuesOf(isRecent ? (saved.resource as Resource) : resource) }
}

/**
 * A form that makes something or changes something. A change is sent with the ETag of the version the form was filled
 * from, however often the page behind it is refreshed; when another user was faster, the form keeps what was typed and
 * `conflict` says what they changed. What differs elsewhere only (a count, a date of use) is in no one's way.
 */
export function useEditForm<Values extends FieldValues, Output>({
  edited,
  defaultValues,
  request,
  ...options
}: Options<Values, Output>) {
  const [filled, setFilled] = useState<{ etag?: string; values: Values }>(() =>
    edited ? newestOf(edited) : { values: defaultValues },
  )
  const form = useForm<Values>({ defaultValues: filled.values as DefaultValues<Values> })
  const { isDirty } = form.formState
  const [conflict, setConflict] = useState<EditConflict<Values> | null>(null)

  // An untouched form follows the page.
  const seen = useRef(edited?.etag)
  useEffect(() => {
    if (!edited || edited.etag === seen.current) return
    seen.current = edited.etag
    if (isDirty) return
    const next = newestOf(edited)
    const { values } = next
    setFilled(next)
    if (!isSame(values, form.getValues())) form.reset(values)
  }, [edited, isDirty, form])

  /** The ETag read last, when a save was refused as stale. */
  const newest = useRef<string>(undefined)
  const save = useApiMutation<Output, Values & { over?: string }, Values>({
    ...options,
    form,
    request: ({ over, ...values }) => {
      const ifMatch = over ?? filled.etag
      return { ...request(values as unknown as Values), ...(ifMatch && { ifMatch }) }
    },
    resolveStale: async (problem, { over: _, ...mine }) => {
      if (!edited) return null
      const { body, etag } = await readVersion(request(mine as unknown as Values))
      newest.current = etag
      const versions = { filled: filled.values, mine: mine as unknown as Values, theirs: edited.valuesOf(body) }
      if (theirChanges(versions).length === 0) return etag
      setConflict({ changedBy: changedBy(problem), versions, etag })
      return null
    },
    onProblem: (problem) => {
      // The notice about the conflict says more than the sentence of the response.
      if (problem.code === 'stale') form.clearErrors('root.server')
    },
    onSuccess: (result, { over, ...values }) => {
      setConflict(null)
      if (edited) {
        rememberSaved(result, [edited.etag, filled.etag, over, newest.current])
        setFilled({ ...filled, values: edited.valuesOf(result) })
        form.reset(edited.valuesOf(result))
      }
      return options.onSuccess?.(result, values as unknown as Values)
    },
  })

  /** Goes on from their version, with the values given where they differ. */
  function goOnFrom({ versions, etag }: EditConflict<Values>, values: Values) {
    setFilled({ etag, values: versions.theirs })
    setConflict(null)
    form.reset(versions.theirs)
    for (const field of Object.keys(values) as Path<Values>[])
      if (!isSame(values[field], versions.theirs[field]))
        form.setValue(field, values[field] as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }

  return {
    form: form as UseFormReturn<Values>,
    save: { isPending: save.isPending, problem: conflict ? null : save.error },
    submit: form.handleSubmit((values) => save.mutate(values)),
    conflict: conflict && {
      ...conflict,
      fields: (edited?.fields ?? {}) as Edited<Values, Output>['fields'],
      takeTheirs: () => goOnFrom(conflict, withTheirChanges(conflict.versions)),
      overwrite: () => {
        const values = withMyChanges(conflict.versions)
        goOnFrom(conflict, values)
        save.mutate({ ...values, over: conflict.etag })
      },
    },
  }
}

/** Who was faster, as the refusal says. */
export function changedBy({ body }: ApiProblem): EditConflict<unknown>['changedBy'] {
  const by = body.changed_by as { name?: unknown; is_you?: unknown } | undefined
  return typeof by?.name === 'string' ? { name: by.name, is_you: by.is_you === true } : null
}

/** What a request would change, as it is now, with its ETag: a change returns what a GET of the same path does. */
export async function readVersion<Resource>({ path }: ApiRequest<Resource>): Promise<{ body: Resource; etag: string }> {
  const response = await fetchResponse({ method: 'GET', path })
  return { body: (await response.json()) as Resource, etag: response.headers.get('ETag') ?? '' }
}
