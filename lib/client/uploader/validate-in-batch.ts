import { ApiProblem, api } from '../api'
import type { Validate } from './queue'

/**
 * Has the server validate files by name and size: what a batch holds, and what of it was rejected, is not in the browser.
 * Where it will not say, nothing is wrong yet: it says so of each file when that is sent.
 */
export const validateInBatch =
  (params: { project_id: string; batch_id: string }): Validate =>
  async (files) => {
    try {
      const checked = await api('POST /api/projects/{project_id}/batches/{batch_id}/files/check', {
        params,
        body: { files: files.map(({ name, size }) => ({ name, size })) },
      })
      return checked.files.map(({ violations }) => violations)
    } catch (error) {
      if (error instanceof ApiProblem && !error.isTransient) return files.map(() => [])
      throw error
    }
  }
