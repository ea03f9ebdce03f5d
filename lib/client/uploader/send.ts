import type { HttpResponse } from 'tus-js-client'
import { problemFrom } from '../api'
import { networkProblem, type Sending } from './queue'

type TusResponse = Pick<HttpResponse, 'getStatus' | 'getBody' | 'getHeader'>

/** Above this a file is sent by a resumable upload (tus); below, in one request. */
export const RESUMABLE_FROM_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 8 * 1024 * 1024

/**
 * Sends a file as one multipart request, under the key of what the person meant: an attempt whose response was lost is
 * sent again instead of being refused as a duplicate of itself. XMLHttpRequest, because fetch cannot say how much
 * was sent.
 */
export function sendWhole(endpoint: string, { item, onProgress, signal }: Sending): Promise<unknown> {
  const { file, idempotencyKey } = item
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(networkProblem())
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open('POST', endpoint)
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Idempotency-Key', idempotencyKey)
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size))
    request.onload = () => {
      const headers = { get: (name: string) => request.getResponseHeader(name) }
      const body = request.status < 300 ? parsed(request.responseText) : undefined
      if (body !== undefined) resolve(body)
      else reject(problemFrom(request.status < 300 ? 502 : request.status, request.responseText, headers))
    }
    request.onerror = () => reject(networkProblem())
    request.onabort = () => reject(networkProblem())
    request.onloadend = () => signal.removeEventListener('abort', abort)
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}

/** Undefined for what is no JSON: the page of a proxy or of a hotel's Wi-Fi. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends a large file by a resumable upload (tus 1.0); the response to the last piece is the verdict on the file. What was begun is
 * found again by the file's folder, name, size and date, after a reload too. The caller tries again: each attempt
 * goes on where the server says the last one ended.
 */
export async function sendResumable(endpoint: string, { item, onProgress, signal }: Sending): Promise<unknown> {
  const { file, folder } = item
  // Loaded when the first large file comes: most deliveries never need it.
  const { Upload, DetailedError } = await import('tus-js-client').catch(() => {
    throw networkProblem()
  })
  return new Promise((resolve, reject) => {
    const lost = () => reject(networkProblem())
    const settle = (response: TusResponse | null) => {
      const body = response && response.getStatus() < 300 ? parsed(response.getBody()) : undefined
      if (response === null) lost()
      else if (body !== undefined) resolve(body)
      else {
        const headers = { get: (name: string) => response.getHeader(name) ?? null }
        reject(problemFrom(response.getStatus() < 300 ? 502 : response.getStatus(), response.getBody(), headers))
      }
    }
    /** The upload keeps its verdict, for when the response that brought it was lost. */
    const fetchOutcome = async () => {
      const response = await fetch(upload.url ?? endpoint, { headers: { Accept: 'application/json' }, signal })
      const text = await response.text()
      const body = response.ok ? parsed(text) : undefined
      if (body !== undefined) resolve(body)
      else reject(problemFrom(response.ok ? 502 : response.status, text, response.headers))
    }
    const upload = new Upload(file, {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      metadata: { filename: file.name },
      // Two files of one name in two folders are two uploads.
      fingerprint: async () => ['greenroom', endpoint, folder, file.name, file.size, file.lastModified].join('|'),
      removeFingerprintOnSuccess: true,
      onProgress,
      // Asked where to go on, the server says that the file was refused. Without this the client would send it all again.
      onAfterResponse: (_request, response) => {
        if (response.getHeader('Upload-Verdict') !== 'refused') return
        void upload.abort()
        fetchOutcome().catch(lost)
        throw new Error('The file was refused.')
      },
      onSuccess: ({ lastResponse }) => {
        if (lastResponse.getBody()) settle(lastResponse)
        else fetchOutcome().catch(lost)
      },
      onError: (error) => settle(error instanceof DetailedError ? error.originalResponse : null),
    })
    const stop = () => {
      // What a person took back goes; what was only cut off is gone on with.
      void upload.abort(signal.reason === 'cancelled').catch(() => {})
      lost()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    upload
      .findPreviousUploads()
      .then(([previous]) => {
        if (previous) upload.resumeFromPreviousUpload(previous)
        if (!signal.aborted) upload.start()
      })
      .catch(reject)
  })
}
