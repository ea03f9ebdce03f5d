import { readFileSync } from 'node:fs'
import path from 'node:path'
import { provisionChromium } from './chromium'
import { startProduct } from './product'

/** Before the stories: a browser, and the product as a newcomer starts it. Both are gone afterwards. */
export default async function globalSetup() {
  process.env.GREENROOM_CHROMIUM_ENV = JSON.stringify(await provisionChromium())
  const product = await startProduct()
  process.env.GREENROOM_URL = product.url
  process.env.GREENROOM_PASSWORD = product.password
  process.env.GREENROOM_DATABASE_URL = readFileSync(path.join(product.dataDir, 'database-url'), 'utf8').trim()
  return async () => {
    // As long as the service runs, a listener that is added again and again is a leak: Node warns of it in the log.
    const log = readFileSync(path.join(product.dataDir, 'logs', 'web.log'), 'utf8')
    await product.stop()
    const leaks = log.split('\n').filter((line) => line.includes('MaxListenersExceededWarning'))
    if (leaks.length > 0) throw new Error(`The web server warned of ${leaks.length} leaks:\n${leaks[0]}`)
  }
}
