import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testSql } from '@/db/testing'
import { copyOut } from './copy-out'

const MANY = `copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout`

it.each(['a reader that lags', 'a reader that leaves'])('a connection goes on after %s', async (who) => {
  for (let round = 0; round < 3; round += 1)
    await testSql.begin(async (tx) => {
      let bytes = 0
      for await (const chunk of copyOut(await tx.unsafe(MANY).readable())) {
        bytes += chunk.length
        if (who === 'a reader that leaves') break
        if (bytes % 50 === 0) await delay(1)
      }
      if (who === 'a reader that lags') expect(bytes).toBe(20_000 * 1001)
      expect(await tx`select 1 as one`).toEqual([{ one: 1 }])
    })
})
