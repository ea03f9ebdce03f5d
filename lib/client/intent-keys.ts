import { v4 as uuid } from 'uuid'

/**
 * Idempotency keys for one form or button. Pressing again after a lost connection means the same thing and gets the
 * same key, so that the server does it once; after a response, or with another body, it is a new thing.
 */
export function createIntentKeys() {
  let last: { intent: string; key: string } | null = null
  return {
    keyFor(intent: string): string {
      if (last?.intent !== intent) last = { intent, key: uuid() }
      return last.key
    },
    settle(): void {
      last = null
    },
  }
}
