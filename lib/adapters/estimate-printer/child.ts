import type { EstimateSheet } from '@/lib/pdf/estimate-sheet'
import { renderEstimate } from '@/lib/pdf/render-estimate'

/** The process that draws estimates for the printer: one sheet after the other by message, its PDF as the answer. */
process.on('message', async (sheet: EstimateSheet) => {
  try {
    process.send?.({ pdf: await renderEstimate(sheet) })
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
