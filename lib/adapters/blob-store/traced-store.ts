import { AsyncResource } from 'node:async_hooks'
import type { BlobKey, BlobStore, DirectUploads } from '@/lib/domain/kernel/blob-store'
import { span } from '@/lib/tracing'

/** The same store with a span for each call that waits for it; an object is named by its key, which holds nothing a user typed. */
export function tracedStore(store: BlobStore, storage: string): BlobStore {
  const traced: Traced = (name, run, key) =>
    span(`storage ${name}`, run, {
      kind: 'client',
      facts: { 'greenroom.storage': storage, ...(key && { 'greenroom.object.key': key }) },
    })
  return {
    direct: store.direct && tracedUploads(store.direct, traced),
    stage: () => store.stage(),
    resume: (id) => store.resume(id),
    commit: (staged, key, options) => traced('commit', () => store.commit(staged, key, options), key),
    read: (key, range) => traced('read', () => store.read(key, range), key),
    size: (key) => traced('size', () => store.size(key), key),
    delete: (key) => traced('delete', () => store.delete(key), key),
    list: (options) => store.list(options),
    sweepStaged: (options) => traced('sweep', () => store.sweepStaged(options)),
    localPath: (key, use) => fetched(traced, store, key, use),
    link: (key, as) => traced('link', () => store.link(key, as), key),
    prove: () => traced('prove', () => store.prove()),
  }
}

type Traced = <R>(name: string, run: () => Promise<R>, key?: string) => Promise<R>

/** The span ends when the bytes are there: what is done with them is not the store's work, and not below its span. */
function fetched<T>(traced: Traced, store: BlobStore, key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
  const useOutside = AsyncResource.bind(use)
  return new Promise((settle) => {
    const fetching = () =>
      new Promise<void>((isThere, isNot) => {
        const used = store.localPath(key, (path) => {
          isThere()
          return useOutside(path)
        })
        used.then(() => isThere(), isNot)
        settle(used)
      })
    // Whatever goes wrong is said by `used`.
    traced('fetch', fetching, key).catch(() => {})
  })
}

function tracedUploads(direct: DirectUploads, traced: Traced): DirectUploads {
  return {
    begin: (id) => traced('begin upload', () => direct.begin(id)),
    sign: (upload, parts) => direct.sign(upload, parts),
    parts: (upload) => traced('list parts', () => direct.parts(upload)),
    assemble: (upload, parts) => traced('assemble upload', () => direct.assemble(upload, parts)),
    fetch: (upload, version, onWritten) => traced('fetch upload', () => direct.fetch(upload, version, onWritten)),
    remove: (upload) => traced('remove upload', () => direct.remove(upload)),
    obstacleFor: (origin) => direct.obstacleFor(origin),
  }
}
