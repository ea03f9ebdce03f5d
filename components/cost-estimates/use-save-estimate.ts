import { useRouter } from 'next/navigation'
import { type Dispatch, useEffect } from 'react'
import { ApiProblem, apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { toast } from '@/lib/client/toast'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import { changedBy, readVersion } from '@/lib/client/use-edit-form'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import type { EstimateRequest } from './draft'
import type { EditorAction } from './editor-state'

type Saving = {
  request: EstimateRequest
  /** What saving changes; null where it makes a new one. */
  target: Estimate | null
  etag: string | null
  /** Of a new one. */
  projectId: string | null
  isOpen: boolean
  dispatch: Dispatch<EditorAction>
}

/** Saves an estimate, by its button or by Ctrl S, and says what came of it; `over` is the ETag of a version to replace. */
export function useSaveEstimate({ request, target, etag, projectId, isOpen, dispatch }: Saving) {
  const router = useRouter()
  const save = useApiMutation({
    request: ({ over }: { over?: string }) =>
      target
        ? apiRequest('PATCH /api/cost-estimates/{estimate_id}', {
            params: { estimate_id: target.id },
            body: request,
            ifMatch: over ?? etag ?? undefined,
          })
        : apiRequest('POST /api/cost-estimates', {
            // Where none is chosen yet, the server says so.
            body: { ...request, project_id: projectId as string },
          }),
    success: target ? 'Estimate saved' : 'Estimate created',
    refresh: false,
    onSuccess: (estimate) => {
      dispatch({ type: 'saved', request })
      router.push(`/cost-estimates/${estimate.id}`)
      refreshSoon(router)
    },
    onProblem: (problem) => {
      if (problem.status === 412 && target) void meet(target.id, problem)
      else if (problem.status === 404 && target) dispatch({ type: 'gone' })
      else if (problem.errors.length > 0) dispatch({ type: 'refused', problems: problem.errors, request })
      else toastProblem(problem)
    },
  })

  /** Another user saved first: their version is fetched, so that it can be chosen, or replaced knowingly. */
  async function meet(id: string, stale: ApiProblem) {
    try {
      const { body: estimate, etag } = await readVersion(
        apiRequest('GET /api/cost-estimates/{estimate_id}', { params: { estimate_id: id } }),
      )
      dispatch({ type: 'met', theirs: { estimate, etag, by: changedBy(stale) } })
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 404) return dispatch({ type: 'gone' })
      toast.error('This estimate was changed meanwhile, and the other version cannot be read now', {
        description: 'What you typed is still here. Save it again in a moment.',
      })
    }
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key !== 's') return
      event.preventDefault()
      if (!save.isPending && isOpen) save.mutate({})
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [save, isOpen])
  return save
}
