/** As many decoded tiles as are kept: some 160 MB, and several screens. */
const KEPT = 160

type Entry = { image: HTMLImageElement; isReady: boolean }

/** Loads the tiles that are in sight, drops what is not any more, and keeps what was seen last. */
export class TileCache {
  private readonly entries = new Map<string, Entry>()
  hasFailed = false

  /** @param changed is called when a tile came, or could not be loaded */
  constructor(private readonly changed: () => void) {}

  /** The tile at an address, if it is there. */
  ready(address: string): HTMLImageElement | null {
    const entry = this.entries.get(address)
    if (!entry?.isReady) return null
    this.entries.delete(address)
    this.entries.set(address, entry)
    return entry.image
  }

  /** Loads these, the first first, and gives up what is still on its way and not among them. */
  want(addresses: readonly string[]) {
    const wanted = new Set(addresses)
    for (const [address, entry] of this.entries) if (!entry.isReady && !wanted.has(address)) this.drop(address, entry)
    for (const address of addresses) if (!this.entries.has(address)) this.load(address)
    for (const [address, entry] of this.entries) {
      if (this.entries.size <= Math.max(KEPT, wanted.size)) break
      if (!wanted.has(address)) this.drop(address, entry)
    }
  }

  /** Tries what failed once more, with the next `want`. */
  retry() {
    this.hasFailed = false
    this.changed()
  }

  clear() {
    for (const [address, entry] of this.entries) this.drop(address, entry)
  }

  private load(address: string) {
    if (this.hasFailed) return
    const entry = { image: new Image(), isReady: false }
    this.entries.set(address, entry)
    entry.image.src = address
    entry.image.decode().then(
      () => {
        entry.isReady = true
        this.changed()
      },
      () => {
        // What was given up is no failure.
        if (this.entries.get(address) !== entry) return
        this.entries.delete(address)
        this.hasFailed = true
        this.changed()
      },
    )
  }

  private drop(address: string, entry: Entry) {
    this.entries.delete(address)
    if (!entry.isReady) entry.image.src = ''
  }
}
