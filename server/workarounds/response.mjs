// Node's response, extended in the way node:http offers for it (`ServerResponse` of createServer).
import { ServerResponse } from 'node:http'

/**
 * A response whose body need not be sent by the code that ends it. Next copies status and headers of what a route
 * returns, drops `Content-Length` (a download would not know how far it is), and carries bodies through web streams, which
 * costs a third of a short response. So a route returns no body to it (lib/http/response.ts), and gives its body here instead.
 *
 * @template {import('node:http').IncomingMessage} [Request=import('node:http').IncomingMessage]
 * @extends {ServerResponse<Request>}
 */
export class WebResponse extends ServerResponse {
  #sendBody

  /**
   * `sendBody` is called instead of the end without content that comes next.
   * @param {() => void} sendBody
   */
  endWith(sendBody) {
    this.#sendBody = sendBody
  }

  end(...content) {
    const sendBody = this.#sendBody
    this.#sendBody = undefined
    // With content it is not the end that was agreed: Next responds by itself, because something went wrong on the way.
    if (!sendBody || content.some((part) => part !== undefined)) return super.end(...content)
    sendBody()
    return this
  }
}
