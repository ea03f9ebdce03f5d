'use client'

import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { ApiProblem, type ApiRequest, sendRequest } from './api'
import { showProblem } from './form-errors'
import { createIntentKeys } from './intent-keys'
import { refreshSoon, whileWriting } from './refresh'
import { toast } from './toast'

export interface ApiMutationOptions<Output, Input, Values extends FieldValues> {
  /** Where the write goes and what it says; the types of the input and of the response come from here. */
  request: (input: Input) => ApiRequest<Output>
  /** The form that shows what was refused; without one a toast does. */
  form?: UseFormReturn<Values>
  /** Said in a toast afterwards: `Link deactivated`. */
  success?: string | ((result: Output, input: Input) => string)
  onSuccess?: (result: Output, input: Input) => void | Promise<void>
  onProblem?: (problem: ApiProblem, input: Input) => void
  /** The ETag to send a refused change (412) with once more, when no other user's change is lost by it; else null. */
  resolveStale?: (problem: ApiProblem, input: Input) => Promise<string | null>
  /** Server components show the change at once, unless false. */
  refresh?: boolean
  /** Queries to fetch anew. */
  invalidate?: readonly QueryKey[]
  /** Writes of one name are sent one after the other, whichever parts of the page make them. */
  scope?: string
}

/**
 * A write through /api: sends it with an idempotency key, refreshes what is on screen, and brings refusals to the form
 * (field by field) or into a toast with the request id. `mutateAsync` rejects with an `ApiProblem`.
 */
export function useApiMutation<Output, Input = void, Values extends FieldValues = FieldValues>(
  options: ApiMutationOptions<Output, Input, Values>,
): UseMutationResult<Output, ApiProblem, Input> {
  const router = useRouter()
  const queryClient = useQueryClient()
  const intentKeys = useRef<ReturnType<typeof createIntentKeys>>(undefined)
  intentKeys.current ??= createIntentKeys()
  const keys = intentKeys.current

  return useMutation<Output, ApiProblem, Input>({
    ...(options.scope && { scope: { id: options.scope } }),
    mutationFn: (input) =>
      whileWriting(async () => {
        const request = options.request(input)
        if (request.method !== 'POST') {
          return sendRequest(request).catch(async (problem) => {
            const stale = problem instanceof ApiProblem && problem.code === 'stale'
            const ifMatch = stale ? await options.resolveStale?.(problem, input) : null
            if (!ifMatch) throw problem
            return sendRequest({ ...request, ifMatch })
          })
        }
        const intent = `${request.path} ${JSON.stringify(request.body ?? null)}`
        const idempotencyKey = request.idempotencyKey ?? keys.keyFor(intent)
        try {
          const result = await sendRequest({ ...request, idempotencyKey })
          keys.settle()
          return result
        } catch (error) {
          if (!(error instanceof ApiProblem) || !error.isTransient) keys.settle()
          throw error
        }
      }),
    onSuccess: async (result, input) => {
      await Promise.all((options.invalidate ?? []).map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      await options.onSuccess?.(result, input)
      if (options.refresh !== false) refreshSoon(router)
      if (options.success) {
        toast.success(typeof options.success === 'function' ? options.success(result, input) : options.success)
      }
    },
    onError: (problem, input) => {
      if (options.form) showProblem(options.form, problem)
      else if (!options.onProblem) toastProblem(problem)
      options.onProblem?.(problem, input)
    },
  })
}

/** Says a refused or failed call in a toast that stays until it is closed, with the reference for support. */
export function toastProblem(problem: ApiProblem): void {
  toast.error(problem.detail, {
    duration: Number.POSITIVE_INFINITY,
    description: problem.requestId ? `Reference ${problem.requestId}` : undefined,
  })
}
