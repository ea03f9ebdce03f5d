declare module '../kernel/ports' {
  interface SlowPorts {
    settings: LogoDrawer
  }
}

export interface LogoDrawer {
  /** Makes a logo from an image a user sent: drawn anew as PNG, or a sentence saying why it cannot be. */
  drawLogo(
    bytes: Uint8Array,
    extension: string,
  ): Promise<{ png: Buffer; width: number; height: number } | { refused: string }>
}
