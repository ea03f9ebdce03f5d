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
import { type ApiProblem, type ApiRequest, readVersion } from './api'
import { type ApiMutationOptions, useApiMutation } from './use-api-mutation'
import { isSame, theirChanges, type Versions, withMyChanges, withTheirChanges } from './versions'

/** What a form edits: the resource and its ETag come from one look at it, and the form is filled from that look. */
export type Edited<Values, Resource extends object> = {
  resource: Resource
  etag: string
  valuesOf: (resource: Resource) => Values
  /** What the fields are called, and how a value is written that is not written as it stands. */
  fields: { [Field in keyof Values]?: string | { label: string; show: (value: Values[Field]) => string } }
}

/** Somebody saved the resource after the form was filled, and something would be overwritten. */
export type EditConflict<Values> = {
  changedBy: { name: string; is_you: boolean } | null
  versions: Versions<Values>
  etag: string
}

type Options<Values extends FieldValues, Resource extends object, Answer> = Omit<
  ApiMutationOptions<Values, Answer, Values>,
  'form' | 'request' | 'onProblem' | 'resolveStale'
> & {
  request: (values: Values) => ApiRequest & { path: `/api/${string}` }
} & ({ edited: Edited<Values, Resource>; defaultValues?: undefined } | { edited?: undefined; defaultValues: Values })

/** What this tab saved, by the version its page goes on showing until it is refreshed. The ETag is the one sent. */
const savedOver = new WeakMap<object, { resource: unknown; etag: string }>()

const newestOf = <Values, Resource extends object>(edited: Edited<Values, Resource>) => {
  const { resource, etag } = (savedOver.get(edited.resource) ?? edited) as { resource: Resource; etag: string }
  return { etag, values: edited.valuesOf(resource) }
}

/**
 * A form that makes something or changes something. A change is sent with the ETag of the version the form was filled
 * from, however often the page behind it is refreshed; when somebody else was faster, the form keeps what was typed and
 * `conflict` says what they changed. What differs elsewhere only (a count, a date of use) is in nobody's way.
 */
export function useEditForm<Values extends FieldValues, Resource extends object, Answer = Resource>({
  edited,
  defaultValues,
  request,
  ...options
}: Options<Values, Resource, Answer>) {
  const [filled, setFilled] = useState<{ etag?: string; values: Values }>(() =>
    edited ? newestOf(edited) : { values: defaultValues },
  )
  const form = useForm<Values>({ defaultValues: filled.values as DefaultValues<Values> })
  const { isDirty } = form.formState
  const [conflict, setConflict] = useState<EditConflict<Values> | null>(null)

  // A form nobody has touched follows the page.
  const seen = useRef(edited?.etag)
  useEffect(() => {
    if (!edited || edited.etag === seen.current) return
    seen.current = edited.etag
    if (isDirty) return
    const newest = newestOf(edited)
    const { values } = newest
    setFilled(newest)
    if (!isSame(values, form.getValues())) form.reset(values)
  }, [edited, isDirty, form])

  const save = useApiMutation<Values & { over?: string }, Answer, Values>({
    ...options,
    form,
    request: ({ over, ...values }) => {
      const ifMatch = over ?? filled.etag
      return { ...request(values as unknown as Values), ...(ifMatch && { ifMatch }) }
    },
    resolveStale: async (problem, { over: _, ...mine }) => {
      if (!edited) return null
      const { body, etag } = await readVersion<Resource>(request(mine as unknown as Values).path)
      const versions = { filled: filled.values, mine: mine as unknown as Values, theirs: edited.valuesOf(body) }
      if (theirChanges(versions).length === 0) return etag
      setConflict({ changedBy: changedBy(problem), versions, etag })
      return null
    },
    onProblem: (problem) => {
      // The notice about the conflict says more than the sentence of the answer.
      if (problem.code === 'stale') form.clearErrors('root.server')
    },
    onSuccess: (answer, { over, ...values }) => {
      setConflict(null)
      const sent = over ?? filled.etag
      if (edited && sent) {
        const resource = answer as unknown as Resource
        savedOver.set(edited.resource, { resource, etag: sent })
        setFilled({ etag: sent, values: edited.valuesOf(resource) })
        form.reset(edited.valuesOf(resource))
      }
      return options.onSuccess?.(answer, values as unknown as Values)
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
      fields: (edited?.fields ?? {}) as Edited<Values, Resource>['fields'],
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
