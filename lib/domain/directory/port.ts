declare module '../kernel/ports' {
  interface InstantPorts {
    mail: MailSettings
  }
}

export interface MailSettings {
  /** Whether this service has a mail server at all. */
  isSetUp: boolean
}
