import type { Readable } from 'node:stream'
import type { TargetTest } from '@/db/schema/deliveries'
import type { Verification } from '@/lib/vocabulary'
import type { Connection, TargetSecrets } from './schema'

declare module '../kernel/ports' {
  interface InstantPorts {
    deliveries: TargetAddresses
  }
  interface SlowPorts {
    deliveries: TargetSender
  }
}

export interface TargetAddresses {
  /** What is wrong with the address of a target, with the field it is in, or null. Looks nothing up. */
  explainTarget(connection: Connection): { field: string; why: string } | null
  /** What is wrong with a private key, or with its passphrase, with the name of that secret, or null. */
  explainPrivateKey(key: string, passphrase: string | undefined): { field: string; why: string } | null
}

export interface TargetSender {
  /**
   * Writes, reads and deletes a small file. Never throws. Of an SFTP server whose key is not trusted yet, `hostKey` is
   * what it showed, and nothing was sent to it.
   */
  test(target: ReachableTarget): Promise<{ steps: TargetTest['steps']; hostKey: string | null }>
  /** @throws TransferFault when the target cannot be reached, or refuses who comes */
  open(target: ReachableTarget, signal: AbortSignal): Promise<TargetSession>
}

export type ReachableTarget = {
  connection: Connection
  secrets: TargetSecrets
  /** The fingerprint an SFTP server must show. */
  hostKey: string | null
}

/** A connection to a target, for one file after the other. */
export interface TargetSession {
  /**
   * Sends the file, replacing what is there, and verifies that it arrived. Where the protocol can rename, nothing is
   * seen under the path before that. @throws TransferFault
   */
  send(file: OutgoingFile): Promise<Receipt>
  close(): Promise<void>
}

export type OutgoingFile = {
  /** Below the target, with `/`; validated. */
  path: string
  size: number
  sha256: string
  verification: Verification
  read(): Promise<Readable>
  onProgress(bytesSent: number): void
}

/** `place`: as the target names it. `proof`: how it was verified, as a sentence. */
export type Receipt = { place: string; proof: string }

/** Why a file could not be delivered, as a sentence with what the target said. `isLasting`: trying again changes nothing. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault'
  constructor(
    message: string,
    readonly isLasting = false,
  ) {
    super(message)
  }
}
