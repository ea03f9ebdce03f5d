import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { UTApi } from 'uploadthing/server'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'

/** Files that a browser sent to UploadThing itself and that are no object of ours yet. */

/** How their names begin there. */
export const INCOMING = 'incoming:'

type Settings = { UPLOADTHING_TOKEN?: string | undefined }

export const uploadThingOptions = ({ UPLOADTHING_TOKEN }: Settings) => ({ token: UPLOADTHING_TOKEN ?? '' })

const api = (settings: Settings) => new UTApi({ ...uploadThingOptions(settings), logLevel: 'None' })

export async function openAtUploadThing(settings: Settings, remoteKey: string): Promise<Readable> {
  const { ufsUrl } = await api(settings).generateSignedURL(remoteKey, { expiresIn: 3600 })
  const response = await fetch(ufsUrl)
  if (!response.ok || !response.body) {
    throw new StorageUnavailable(
      'failed',
      `UploadThing responded with ${response.status} to a read of what it just took.`,
    )
  }
  return Readable.fromWeb(response.body as ReadableStream)
}

export async function removeFromUploadThing(settings: Settings, remoteKey: string): Promise<void> {
  await api(settings)
    .deleteFiles(remoteKey)
    .catch(() => {}) // the sweeper's business then
}
