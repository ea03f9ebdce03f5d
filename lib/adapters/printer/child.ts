import type { Printable } from '@/lib/pdf/printable'
import { render } from '@/lib/pdf/render'

/** The process that draws what is to be printed: one document after the other by message, its PDF as the answer. */
process.on('message', async (document: Printable) => {
  try {
    process.send?.({ pdf: await render(document) })
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
