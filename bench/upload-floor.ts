import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import busboy from 'busboy'

/** The floor: the least a server can do with an upload. busboy, SHA-256, written to disk; no fsync, no check, no row. */
const [folder = '.'] = process.argv.slice(2)
const server = createServer({ requestTimeout: 0 }, (request, response) => {
  const form = busboy({ headers: request.headers })
  form.on('file', (_part, file) => {
    const hash = createHash('sha256')
    const target = path.join(folder, randomUUID())
    let size = 0
    file.on('data', (chunk: Buffer) => {
      size += chunk.length
      hash.update(chunk)
    })
    file.pipe(createWriteStream(target)).on('finish', () => {
      response.writeHead(201, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ file: { size, sha256: hash.digest('hex') } }))
      unlink(target)
    })
  })
  request.pipe(form)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
