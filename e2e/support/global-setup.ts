import { provisionChromium } from './chromium'
import { startProduct } from './product'

/** Before the stories: a browser, and the product as a newcomer starts it. Both are gone afterwards. */
export default async function globalSetup() {
  process.env.GREENROOM_CHROMIUM_ENV = JSON.stringify(await provisionChromium())
  const product = await startProduct()
  process.env.GREENROOM_URL = product.url
  process.env.GREENROOM_PASSWORD = product.password
  return product.stop
}
