import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { events } from '@/db/schema/events'
import { testDb } from '@/db/testing'
import { makeBatch, makeProject, makeUser } from '@/fixtures/factories'
import { receiveFile } from '@/lib/domain/files/commands'
import { arrived, image, storedKeys, uploadPorts } from '@/lib/domain/files/testing'
import { as, expectRefusal, refusal } from '@/lib/domain/testing'
import { clamdScanner } from './clamd'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-scanner-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function fileOf(bytes: Buffer) {
  const file = path.join(folder, `${randomBytes(6).toString('hex')}.bin`)
  writeFileSync(file, bytes)
  return file
}

/** A daemon that speaks clamd's side of INSTREAM and replies as given; `received` is what it put together. */
async function daemon(verdict: (content: Buffer, socket: Socket) => string | null, { limit = Infinity } = {}) {
  const received: Buffer[] = []
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0)
    let content = Buffer.alloc(0)
    let isOpen = false
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk])
      if (!isOpen) {
        const command = Buffer.from('zINSTREAM\0')
        if (pending.length < command.length) return
        if (!pending.subarray(0, command.length).equals(command)) return void socket.end('UNKNOWN COMMAND\0')
        pending = pending.subarray(command.length)
        isOpen = true
      }
      while (pending.length >= 4) {
        const length = pending.readUInt32BE(0)
        if (length === 0) {
          received.push(content)
          const found = verdict(content, socket)
          if (found !== null) socket.end(`${found}\0`)
          return
        }
        if (pending.length < 4 + length) return
        content = Buffer.concat([content, pending.subarray(4, 4 + length)])
        pending = pending.subarray(4 + length)
        if (content.length > limit) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      }
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const finding = (marker: string) => (content: Buffer) =>
  content.includes(marker) ? 'stream: Eicar-Signature FOUND' : 'stream: OK'

it('sends every byte, and says what was found', async () => {
  const { address, received } = await daemon(finding('EVIL'))
  const scan = clamdScanner(address)
  const clean = randomBytes(700_001)
  expect(await scan(fileOf(clean))).toEqual({ found: null })
  expect(received[0]?.equals(clean)).toBe(true)
  expect(await scan(fileOf(Buffer.concat([clean, Buffer.from('EVIL')])))).toEqual({ found: 'Eicar-Signature' })
  expect(await scan(fileOf(Buffer.alloc(0)))).toEqual({ found: null })
})

it('is no pass when the scanner is away, silent, in trouble or full', async () => {
  const file = fileOf(randomBytes(3_000_000))
  const { address: closed } = await daemon(() => null)
  await new Promise((resolve) => servers.splice(0)[0]?.close(resolve))
  expect((await expectRefusal(clamdScanner(closed)(file), 'unavailable')).facts.retryAfter).toBe(60)

  const silent = await daemon(() => null)
  expect((await refusal(clamdScanner(silent.address, 200)(file))).detail).toContain('was silent')

  const hangingUp = await daemon((_, socket) => {
    socket.destroy()
    return null
  })
  await expectRefusal(clamdScanner(hangingUp.address)(file), 'unavailable')

  for (const reply of ['stream: Can’t allocate memory ERROR', 'OK', 'stream: OK FOUND OK', '']) {
    const { address } = await daemon(() => reply)
    await expectRefusal(clamdScanner(address)(file), 'unavailable')
  }

  const full = await daemon(() => 'stream: OK', { limit: 100_000 })
  expect((await refusal(clamdScanner(full.address)(file))).code).toBe('unavailable')
})

it('keeps an infected file out of a batch, with the attempt on the audit trail', async () => {
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({ projectId: project.id })
  const params = { project_id: project.id, batch_id: batch.id }
  const { address } = await daemon(() => 'stream: Win.Test.EICAR_HDB-1 FOUND')
  const send = async (scanner: string) =>
    receiveFile.execute(
      as(operator, { ports: { ...uploadPorts, files: { ...uploadPorts.files, scan: clamdScanner(scanner) } } }),
      params,
      await arrived('banner.png', await image()),
    )
  const refused = await expectRefusal(send(address), 'file_rejected')
  expect(refused.facts.violations).toMatchObject([{ rule: 'integrity', code: 'malware' }])
  expect(refused.detail).toContain('Win.Test.EICAR_HDB-1')
  expect(await storedKeys()).toEqual([])
  const recorded = await testDb.select().from(events)
  expect(recorded.map(({ type }) => type)).toEqual(['upload.rejected'])

  await expectRefusal(send('tcp://127.0.0.1:1'), 'unavailable')
  expect(await storedKeys()).toEqual([])
})
