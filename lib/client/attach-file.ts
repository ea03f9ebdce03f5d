import { ApiProblem, problemFrom } from './api'
import { reportNoResponse } from './connection'

/**
 * Sends a file to a comment, as one multipart request.
 * @throws {ApiProblem} for every response that is not 2xx, and when no response came
 */
export async function attachFile(path: string, file: File, idempotencyKey: string): Promise<void> {
  const body = new FormData()
  body.append('file', file, file.name)
  const headers = { Accept: 'application/json', 'Idempotency-Key': idempotencyKey }
  const response = await fetch(path, { method: 'POST', headers, body }).catch(() => null)
  if (response === null) {
    reportNoResponse()
    throw new ApiProblem({ status: 0, code: 'network', detail: 'Greenroom could not be reached. Try again.' })
  }
  if (!response.ok) throw problemFrom(response.status, await response.text().catch(() => ''), response.headers)
}
