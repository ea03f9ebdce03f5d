import path from 'node:path'
import type { Database } from '@/db/client'
import type { BlobStore, DirectUploads } from '@/lib/domain/kernel/blob-store'
import type { Environment } from '@/lib/env'
import { withLocalCopies } from './cached-store'
import { DiskBlobStore } from './disk'
import { databaseIndex } from './remote-index'
import type { S3BlobStore } from './s3'
import { StagingFolder } from './staging-folder'

export type Storage = Environment['STORAGE']

/** The store that the settings name. Nothing is asked of it yet, and the clients of the others are not loaded. */
export function storeOf(env: Environment, db: () => Database, storage: Storage = env.STORAGE): BlobStore {
  if (storage === 'disk') return new DiskBlobStore(path.join(env.DATA_DIR, 'blobs'))
  const staging = new StagingFolder(path.join(env.DATA_DIR, 'staged'))
  const copies = { folder: path.join(env.DATA_DIR, 'cache'), limit: env.OBJECT_CACHE }
  if (storage === 'uploadthing') {
    const { store } = whenNeeded(() => openUploadThing(env, staging, db()))
    return { ...withLocalCopies(store, staging, copies), direct: null }
  }
  const { store, opened } = whenNeeded(() => openBucket(env, staging))
  return { ...withLocalCopies(store, staging, copies), direct: directWhenNeeded(opened) }
}

async function openBucket(env: Environment, staging: StagingFolder): Promise<S3BlobStore> {
  const { S3BlobStore } = await import('./s3')
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  return new S3BlobStore(staging, {
    bucket: env.S3_BUCKET ?? '',
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT,
    pathStyle: env.S3_PATH_STYLE,
    prefix: env.S3_PREFIX,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
}

/** Its own client reads UPLOADTHING_API_URL, UPLOADTHING_INGEST_URL and their like from the environment. */
async function openUploadThing(env: Environment, staging: StagingFolder, db: Database): Promise<BlobStore> {
  const { UploadThingBlobStore } = await import('./uploadthing')
  return new UploadThingBlobStore(staging, databaseIndex(db), { token: env.UPLOADTHING_TOKEN ?? '' })
}

function whenNeeded<Store extends BlobStore>(open: () => Promise<Store>) {
  let opened: Promise<Store> | undefined
  const store = () => {
    opened ??= open()
    return opened
  }
  return { opened: store, store: methodsOf(store) }
}

function methodsOf(store: () => Promise<BlobStore>): Omit<BlobStore, 'direct'> {
  return {
    stage: async () => (await store()).stage(),
    resume: async (id) => (await store()).resume(id),
    commit: async (staged, key, options) => (await store()).commit(staged, key, options),
    read: async (key, range) => (await store()).read(key, range),
    size: async (key) => (await store()).size(key),
    delete: async (key) => (await store()).delete(key),
    async *list(options) {
      yield* (await store()).list(options)
    },
    sweepStaged: async (options) => (await store()).sweepStaged(options),
    localPath: async (key, use) => (await store()).localPath(key, use),
    link: async (key, headers) => (await store()).link(key, headers),
    prove: async () => (await store()).prove(),
  }
}

function directWhenNeeded(store: () => Promise<S3BlobStore>): DirectUploads {
  return {
    begin: async (id) => (await store()).direct.begin(id),
    sign: async (upload, parts) => (await store()).direct.sign(upload, parts),
    parts: async (upload) => (await store()).direct.parts(upload),
    assemble: async (upload, parts) => (await store()).direct.assemble(upload, parts),
    fetch: async (upload, version, onWritten) => (await store()).direct.fetch(upload, version, onWritten),
    remove: async (upload) => (await store()).direct.remove(upload),
    obstacleFor: async (origin) => (await store()).direct.obstacleFor(origin),
  }
}
