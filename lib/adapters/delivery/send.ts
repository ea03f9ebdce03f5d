import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ReachableTarget, type TargetSender, TransferFault } from '@/lib/domain/deliveries/port'
import { explainDeliveryTarget } from './addresses'
import { HttpSession } from './http'
import type { TransferLimits } from './moving'
import { S3Session } from './s3'
import { type ProvableSession, UntrustedHostKey } from './session'

/** Delivers files to where administrators said, and to no place that must not be reached. */
export function targetSender(limits: TransferLimits): TargetSender {
  async function open(target: ReachableTarget, signal: AbortSignal): Promise<ProvableSession> {
    const { connection, secrets } = target
    const wrong = explainDeliveryTarget(connection, limits.allowsPrivate)
    if (wrong) throw new TransferFault(`Nothing was sent: ${wrong.why}.`, true)
    if (connection.kind === 's3') return new S3Session(connection, secrets, signal, limits)
    // Loaded when it is needed: most services never speak SFTP.
    if (connection.kind === 'sftp') return (await import('./sftp')).openSftp(target, signal, limits)
    return new HttpSession(connection, secrets, signal, limits)
  }

  return { open, test: (target) => testTarget(open, target) }
}

/** Writes a small file, reads it and deletes it; what fails ends the test, but for reading: then the file is deleted all the same. */
async function testTarget(
  open: (target: ReachableTarget, signal: AbortSignal) => Promise<ProvableSession>,
  target: ReachableTarget,
) {
  const steps: { step: string; ok: boolean; said: string }[] = []
  const path = `greenroom-test-${randomBytes(6).toString('hex')}.txt`
  const bytes = Buffer.from('Greenroom wrote this file to test the target. It can be deleted.\n')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  let hostKey: string | null = null
  const attempt = async <T>(step: string, run: () => Promise<T>, said: string): Promise<T | undefined> => {
    try {
      const result = await run()
      steps.push({ step, ok: true, said })
      return result
    } catch (error) {
      if (error instanceof UntrustedHostKey) hostKey = error.shown
      steps.push({ step, ok: false, said: error instanceof Error ? error.message : String(error) })
    }
  }
  const session = await attempt('Connect', () => open(target, new AbortController().signal), 'Ready to send.')
  if (!session) return { steps, hostKey }
  try {
    const written = await attempt(
      'Write',
      () =>
        session.send({
          path,
          size: bytes.length,
          sha256,
          verification: 'size',
          read: async () => Readable.from([bytes]),
          onProgress: () => {},
        }),
      `${bytes.length} bytes written as ${path}.`,
    )
    if (!written) return { steps, hostKey }
    await attempt('Read', () => readBack(session, path, sha256), 'The same bytes came back.')
    await attempt('Delete', () => session.remove(path), 'The file is gone again.')
  } finally {
    await session.close()
  }
  return { steps, hostKey }
}

async function readBack(session: ProvableSession, path: string, sha256: string) {
  if ((await session.digest(path)).sha256 !== sha256)
    throw new TransferFault('Other bytes came back than were written.')
}
