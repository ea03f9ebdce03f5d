import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { receivePart } from '@/lib/uploads/receive-part'

/** Our own path of the bytes, alone: read, hashed, written, made durable. No framework, no check, no row. */
const [folder = '.'] = process.argv.slice(2)
const store = new DiskBlobStore(folder)
const exchanges = new AsyncLocalStorage()
Object.assign(globalThis, { [Symbol.for('greenroom.exchange')]: exchanges })
const server = createServer({ requestTimeout: 0 }, (req, res) =>
  exchanges.run({ req, res }, async () => {
    const request = new Request('http://localhost/', { headers: new Headers(req.headers as Record<string, string>) })
    const { staged, ...file } = await receivePart(request, {
      stage: () => store.stage(),
      maxBytes: Number.MAX_SAFE_INTEGER,
    })
    const key = `files/${randomUUID()}` as const
    await store.commit(staged, key)
    res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ file }))
    await store.delete(key)
  }),
)
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
