import { setTimeout as wait } from 'node:timers/promises'

/** Killed processes are gone at once, unless the machine is very busy. */
const KILL_MS = 3_000

/** Calls `kill` again and again until it says that no process was left, for three seconds at most. */
export async function killUntilGone(kill: () => boolean): Promise<void> {
  for (const until = performance.now() + KILL_MS; performance.now() < until; await wait(20)) if (!kill()) return
}
