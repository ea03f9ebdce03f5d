declare module '../kernel/ports' {
  interface InstantPorts {
    certificates: Signer
  }
}

/** Signs what others shall be able to check without us (Ed25519, with a key that is held in memory). */
export interface Signer {
  sign(text: string): { signature: string; keyId: string }
  /** SPKI, DER, base64; empty for a key that is gone. */
  publicKeyOf(keyId: string): string
}
