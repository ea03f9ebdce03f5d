import type { HttpResponse } from 'tus-js-client'
import { ApiProblem, problemFrom } from '../api'

export type Sending = {
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

type TusAnswer = Pick<HttpResponse, 'getStatus' | 'getBody' | 'getHeader'>

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
    const lost = () => reject(new ApiProblem({ status: 0, code: 'network', detail: LOST }))
    const settle = (answer: TusAnswer | null) => {
      if (answer === null) lost()
      else if (answer.getStatus() < 300) resolve(JSON.parse(answer.getBody()))
      else {
        const headers = { get: (name: string) => answer.getHeader(name) ?? null }
        reject(problemFrom(answer.getStatus(), answer.getBody(), headers))
      }
    }
    /** The upload keeps its verdict, for when the answer that brought it was lost. */
    const askForVerdict = async () => {
      const response = await fetch(upload.url ?? endpoint, { headers: { Accept: 'application/json' }, signal })
      const text = await response.text()
      if (response.ok) resolve(JSON.parse(text))
      else reject(problemFrom(response.status, text, response.headers))
    }
    const upload = new Upload(file, {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays: [0, 1000, 3000, 5000, 10_000],
      metadata: { filename: file.name },
      removeFingerprintOnSuccess: true,
      onProgress,
      // Asked where to go on, the server says that the file was refused. Without this the client would send it all again.
      onAfterResponse: (_request, response) => {
        if (response.getHeader('Upload-Verdict') !== 'refused') return
        void upload.abort()
        askForVerdict().catch(lost)
        throw new Error('The file was refused.')
      },
      // A verdict of the rules is final; only what may pass by itself is tried again.
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        const isBehind = status === 409 && error.originalResponse?.getBody().includes('upload_offset_conflict')
        return status === 0 || isBehind === true || status === 423 || status === 429 || status >= 500
      },
      onSuccess: ({ lastResponse }) => {
        if (lastResponse.getBody()) settle(lastResponse)
        else askForVerdict().catch(lost)
      },
      onError: (error) => settle(error instanceof DetailedError ? error.originalResponse : null),
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
