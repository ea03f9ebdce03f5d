import { type TargetSession, TransferFault } from '@/lib/domain/deliveries/port'

/** A session as tests of a target need it: what was written can be read and removed. */
export interface ProvableSession extends TargetSession {
  digest(path: string): Promise<{ size: number; sha256: string }>
  remove(path: string): Promise<void>
}

/** The server showed a key that is not the trusted one. No user and no password was sent. */
export class UntrustedHostKey extends TransferFault {
  constructor(
    readonly shown: string,
    trusted: string | null,
  ) {
    super(
      trusted === null
        ? `The server’s key ${shown} is not trusted yet. Test the target, compare the key with what its operator says, and trust it.`
        : `The server shows the key ${shown} instead of ${trusted}, so nothing was sent. Either its key was replaced, or this is another server.`,
      true,
    )
  }
}
