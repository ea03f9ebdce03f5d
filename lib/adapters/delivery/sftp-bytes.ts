import type { SFTPWrapper } from 'ssh2'

/**
 * Writes and reads that wait for their answer at the same time, and bytes of each. One after the other, over a line of 30 ms,
 * they would carry 1 MB a second. OpenSSH's `sftp` has 64 of 32 kB under way.
 */
const UNDER_WAY = 32
const BLOCK = 32 * 1024

type Answered<T> = (error: Error | null | undefined, value: T) => void
const ask = <T>(call: (done: Answered<T>) => unknown) =>
  new Promise<T>((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))))

/** Writes what comes into a new file, or in place of one that is there. */
export async function writeBytes(sftp: SFTPWrapper, path: string, source: AsyncIterable<Buffer>): Promise<void> {
  const handle = await ask<Buffer>((done) => sftp.open(path, 'w', { mode: 0o644 }, done))
  const underWay: Promise<void>[] = []
  let end = 0
  try {
    for await (const piece of source) {
      for (let from = 0; from < piece.length; from += BLOCK) {
        const block = piece.subarray(from, from + BLOCK)
        const at = end
        end += block.length
        const written = ask<void>((done) => sftp.write(handle, block, 0, block.length, at, (error) => done(error)))
        // What fails is thrown below, by the first of them.
        written.catch(() => {})
        underWay.push(written)
        if (underWay.length >= UNDER_WAY) await underWay.shift()
      }
    }
    for (const written of underWay) await written
  } catch (error) {
    // A write that is still under way would make the file anew after it is removed.
    await Promise.allSettled(underWay)
    await ask<void>((done) => sftp.close(handle, done)).catch(() => {})
    throw error
  }
  await ask<void>((done) => sftp.close(handle, done))
}

/** The bytes of a file, in their order. */
export async function* readBytes(sftp: SFTPWrapper, path: string): AsyncGenerator<Buffer> {
  const handle = await ask<Buffer>((done) => sftp.open(path, 'r', done))
  const { size } = await ask<{ size: number }>((done) => sftp.fstat(handle, done))
  const underWay: Promise<Buffer>[] = []
  for (let at = 0; at < size || underWay.length > 0; ) {
    while (at < size && underWay.length < UNDER_WAY) {
      const read = readBlock(sftp, handle, at, Math.min(BLOCK, size - at))
      read.catch(() => {})
      underWay.push(read)
      at += BLOCK
    }
    const block = await underWay.shift()
    if (block) yield block
  }
  await ask<void>((done) => sftp.close(handle, done))
}

/** A server may answer with less than was asked for; nothing at all is the end of the file. */
async function readBlock(sftp: SFTPWrapper, handle: Buffer, at: number, length: number): Promise<Buffer> {
  const block = Buffer.alloc(length)
  let got = 0
  while (got < length) {
    const more = await ask<number>((done) => sftp.read(handle, block, got, length - got, at + got, done))
    if (more === 0) break
    got += more
  }
  return block.subarray(0, got)
}
