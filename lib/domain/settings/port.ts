declare module '../kernel/ports' {
  interface SlowPorts {
    settings: LogoDrawer
  }
}

export interface LogoDrawer {
  /** Makes a logo from a picture somebody sent: drawn anew as PNG, or a sentence saying why it cannot be. */
  drawLogo(
    bytes: Uint8Array,
    extension: string,
  ): Promise<{ png: Buffer; width: number; height: number } | { refused: string }>
}
