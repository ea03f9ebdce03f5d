import { expectTypeOf, it } from 'vitest'
import { command, type Tx } from './operation'
import type { InstantPorts, SlowPorts } from './ports'

/** These hold when they compile: `tsc` is what fails. */

/** Names of the members of `P` that return a promise. */
type Awaiting<P> = {
  [K in keyof P]: NonNullable<P[K]> extends (...given: never[]) => infer R
    ? R extends PromiseLike<unknown> | AsyncIterable<unknown>
      ? K
      : never
    : P[K] extends object
      ? Awaiting<P[K]>
      : never
}[keyof P]

/** Names of the slow members that `P` has, too. */
type SlowOf<P> = {
  [N in keyof SlowPorts]: N extends keyof P ? keyof SlowPorts[N] & keyof P[N] : never
}[keyof SlowPorts]

it('a transaction reaches no slow port', () => {
  expectTypeOf<SlowOf<Tx['ports']>>().toBeNever()
  expectTypeOf<Tx['ports']>().toEqualTypeOf<InstantPorts>()
})

it('an instant port never returns a promise', () => {
  expectTypeOf<Awaiting<InstantPorts>>().toBeNever()
})

it('the run of a command reaches no slow port, its prepare reaches all', () => {
  command({
    name: 'useEverything',
    summary: 'Never run',
    permission: 'anyone',
    prepare: async ({ ports }) => [ports.blobs.stage, ports.files.inspect, ports.mail.send, ports.files.maxFileSize],
    async run({ ports }) {
      return [
        ports.secrets.encrypt,
        ports.files.maxFileSize,
        ports.webhooks.explainUrl,
        // @ts-expect-error bytes
        ports.blobs,
        // @ts-expect-error decoding
        ports.files.inspect,
        // @ts-expect-error scanning
        ports.files.scan,
        // @ts-expect-error drawing
        ports.files.drawPreviews,
        // @ts-expect-error measuring
        ports.preQc,
        // @ts-expect-error drawing
        ports.settings,
        // @ts-expect-error sending
        ports.webhooks.post,
        // @ts-expect-error sending
        ports.mail.send,
      ]
    },
  })
})
