import type { PreQcSettings } from '@/db/schema/directory'
import type { EvidenceWanted, Subject } from '@/lib/checks/check'
import type { EstimateSheet, SheetApproval } from '@/lib/pdf/estimate-sheet'
import type { Printable } from '@/lib/pdf/printable'
import type { MediaKind, PreQcDepth } from '@/lib/vocabulary'
import type { BlobStore } from './blob-store'
import type { FieldError, Violation } from './errors'

export type { EstimateSheet, SheetApproval }

/** What the domain needs of the world outside, said without naming who provides it. */

/** What a decoder found in a file it read to the end. */
export type Inspection = {
  mediaType: string
  kind: MediaKind
  /** Measured facts; null when the file could not be read far enough. */
  media: Record<string, unknown> | null
  violations: Violation[]
  /** False: the packets are all there, the rest of the decode was cut short by the time it may take. */
  complete: boolean
  /** What its frames and samples show; with `deep` only. */
  measures?: Measured['measures']
}

/** The engine's own types, by name only: the domain hands them from the one to the other and reads none of them. */
export type Measured = Pick<Subject, 'media' | 'integrity' | 'measures'> & {
  /** WebP: what an ad looked like while it ran. */
  filmStrip?: Buffer | null
  /** WebP: what an ad shows, for lists; nothing else draws it. */
  still?: { thumbnail: Buffer; preview: Buffer } | null
}

/** One request to an endpoint that is told of events. */
export type WebhookRequest = { url: string; headers: Record<string, string>; body: string }

/** What came back: a status, or in `error` why there is none. `body`: its beginning. */
export type WebhookAnswer = {
  status: number | null
  body: string
  retryAfter: string | null
  error: string | null
  durationMs: number
}

/** One mail to one person. `thread`: the Message-ID of the conversation it belongs to. */
export type OutgoingMail = {
  to: { name: string; email: string }
  subject: string
  text: string
  html: string
  messageId: string
  thread: string | null
  headers: Record<string, string>
}

/** What became of a mail. `mayHaveArrived`: the line broke when the server could have had it all. */
export type MailAnswer =
  | { kind: 'sent' }
  | { kind: 'refused'; error: string }
  | { kind: 'failed'; error: string; mayHaveArrived: boolean }

export type Ports = {
  blobs: BlobStore
  /** Validates a local file by its bytes. `extension` is the one it was sent under. */
  inspect(
    path: string,
    options: { extension: string; timeoutMs: number; deep?: boolean; quick?: boolean },
  ): Promise<Inspection>
  /** Hears of a local file that is still coming in, so that `inspect` finds it half done: the bytes before `upTo` are there. */
  followArrival(path: string, extension: string, upTo: number): void
  /**
   * Measures a stored file for its checks: what its container says, and what its pixels, samples or pages show.
   * `copy`: phrases to be looked for in what can be read of it; without any nothing is read.
   */
  measure(
    path: string,
    file: { name: string; kind: MediaKind; mediaType: string },
    how?: { depth?: PreQcDepth; copy?: readonly string[] },
  ): Promise<Measured>
  /** Draws what the checks of a file found, WebP; null where that cannot be shown. */
  drawEvidence(
    path: string,
    file: { kind: MediaKind; mediaType: string },
    wanted: EvidenceWanted[],
  ): Promise<(Buffer | null)[]>
  /** Draws a stored file, of a document one page (from 1), WebP; null where there is nothing to draw. */
  makePictures(
    path: string,
    file: { kind: MediaKind; mediaType: string; page?: number },
  ): Promise<{ thumbnail: Buffer | null; preview: Buffer | null }>
  /** Draws a document as PDF, or takes the one it drew before; `ownerId`: the estimate or batch it is of. */
  print(ownerId: string, document: Printable): Promise<Buffer>
  /** Makes a logo from a picture somebody sent: drawn anew as PNG, or a sentence saying why it cannot be. */
  drawLogo(
    bytes: Uint8Array,
    extension: string,
  ): Promise<{ png: Buffer; width: number; height: number } | { refused: string }>
  /** Looks for malware; null where no scanner is set up. */
  scan: ((path: string) => Promise<{ found: string | null }>) | null
  /** What is wrong with a category's Pre-QC checks: ones that do not exist, thresholds that make no sense. Paths: `dimension_check.thresholds.width`. */
  explainChecks(checks: PreQcSettings['checks']): FieldError[]
  /** Keeps a link's token readable for those who may see it, and for nobody who only has the database. */
  secrets: { encrypt(text: string): string; decrypt(sealed: string): string }
  /** Sends a request to where an administrator said, and to no place that must not be reached. Never throws. */
  postWebhook(request: WebhookRequest): Promise<WebhookAnswer>
  /** What is wrong with an address for webhooks, or null. */
  explainWebhookUrl(url: string): string | null
  /** Hands a mail to the mail server; null where none is set up. Never throws. */
  sendMail: ((mail: OutgoingMail) => Promise<MailAnswer>) | null
  /** Signs what others shall be able to check without us (Ed25519). `publicKeyOf`: SPKI, DER, base64; empty for a key that is gone. */
  signer: { sign(text: string): { signature: string; keyId: string }; publicKeyOf(keyId: string): string }
  /** Address of the service, without a trailing slash. */
  baseUrl: string
  /** Downloads are fetched from the store itself, where it gives out addresses. */
  redirectsDownloads: boolean
  /** Bytes. */
  maxFileSize: number
  /** How long an upload's answer waits for the decode, milliseconds. */
  integrityWaitMs: number
}
