import { createHash, randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import busboy from 'busboy'
import postgres from 'postgres'

/** The least a server does that keeps a small file: busboy, SHA-256, written, fsync, one row. No check, no user. */
const [folder = '.', databaseUrl = ''] = process.argv.slice(2)
const sql = postgres(databaseUrl, { max: 10, onnotice: () => undefined })
await sql`create table if not exists bench_small_files (id uuid primary key, name text not null, size integer not null, sha256 text not null unique)`

async function keep(name: string, chunks: Buffer[]) {
  const bytes = Buffer.concat(chunks)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const id = randomUUID()
  const file = await open(path.join(folder, id), 'wx')
  try {
    await file.write(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await sql`insert into bench_small_files ${sql({ id, name, size: bytes.length, sha256 })}`
  return { id, sha256 }
}

const server = createServer((request, response) => {
  const form = busboy({ headers: request.headers })
  form.on('file', (_part, stream, { filename = '' }) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      keep(filename, chunks).then(
        (stored) => response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(stored)),
        (error) => response.writeHead(500).end(String(error)),
      )
    })
  })
  request.pipe(form)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
