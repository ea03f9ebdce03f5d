import { ApiProblem, problemFrom } from '../api'

export type Sending = {
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

const LOST = 'The connection was lost on the way. Check it, then try this file again.'

/** Above this a file goes in pieces that survive a lost connection (tus); below, in one request. */
export const RESUMABLE_FROM_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 8 * 1024 * 1024

/** Sends a file as one multipart request. XMLHttpRequest, because fetch cannot tell how much was sent. */
export function sendWhole(endpoint: string, file: File, { onProgress, signal }: Sending): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open('POST', endpoint)
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size))
    request.onload = () => {
      const headers = { get: (name: string) => request.getResponseHeader(name) }
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText))
      else reject(problemFrom(request.status, request.responseText, headers))
    }
    request.onerror = () => reject(new ApiProblem({ status: 0, code: 'network', detail: LOST }))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', abort)
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}

/** Sends a large file in pieces by tus 1.0; the answer to the last piece is the verdict on the file. */
export async function sendInPieces(endpoint: string, file: File, { onProgress, signal }: Sending): Promise<unknown> {
  // Loaded when the first large file comes: most deliveries never need it.
  const { Upload, DetailedError } = await import('tus-js-client')
  return new Promise((resolve, reject) => {
    let verdict: unknown
    const upload = new Upload(file, {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays: [0, 1000, 3000, 5000, 10_000],
      metadata: { filename: file.name },
      removeFingerprintOnSuccess: true,
      onProgress,
      onAfterResponse: (_request, response) => {
        const body = response.getBody()
        if (body && response.getStatus() < 300 && response.getHeader('Content-Type')?.includes('json'))
          verdict = JSON.parse(body)
      },
      // A verdict of the rules is final; only what may pass by itself is tried again.
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
      },
      onSuccess: () => resolve(verdict),
      onError: (error) => {
        const answer = error instanceof DetailedError ? error.originalResponse : null
        const headers = { get: (name: string) => answer?.getHeader(name) ?? null }
        reject(
          answer
            ? problemFrom(answer.getStatus(), answer.getBody(), headers)
            : new ApiProblem({ status: 0, code: 'network', detail: LOST }),
        )
      },
    })
    signal.addEventListener(
      'abort',
      () => {
        void upload.abort(true)
        reject(new DOMException('Cancelled', 'AbortError'))
      },
      { once: true },
    )
    upload
      .findPreviousUploads()
      .then(([previous]) => {
        if (previous) upload.resumeFromPreviousUpload(previous)
        upload.start()
      })
      .catch(reject)
  })
}
