/** Lets so many work at once; the others wait in the order in which they came. */
export class Lane {
  private running = 0
  private readonly queue: (() => void)[] = []

  constructor(private readonly limit: number) {}

  /** How many wait. */
  get waiting(): number {
    return this.queue.length
  }

  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.running < this.limit) this.running += 1
    else await new Promise<void>((resolve) => this.queue.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to the next in line, so that no later caller gets in before.
      const next = this.queue.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}
