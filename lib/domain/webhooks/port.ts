declare module '../kernel/ports' {
  interface InstantPorts {
    webhooks: WebhookAddresses
  }
  interface SlowPorts {
    webhooks: WebhookSender
  }
}

export interface WebhookAddresses {
  /** What is wrong with an address for webhooks, or null. Looks nothing up. */
  explainUrl(url: string): string | null
}

export interface WebhookSender {
  /** Sends a request to where an administrator said, and to no place that must not be reached. Never throws. */
  post(request: WebhookRequest): Promise<WebhookResponse>
}

/** One request to an endpoint that is notified of events. */
export type WebhookRequest = { url: string; headers: Record<string, string>; body: string }

/** What came back: a status, or in `error` why there is none. `body`: its beginning. */
export type WebhookResponse = {
  status: number | null
  body: string
  retryAfter: string | null
  error: string | null
  durationMs: number
}
