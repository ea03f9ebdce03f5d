/**
 * What an estimate on paper says: plain data of one revision, nothing computed here. Decimals are text (`"1234.50"`), so
 * that no amount ever passes through floating point.
 */
export type EstimateSheet = {
  number: string
  revision: number
  title: string
  /** In words: `Awaiting your approval`. */
  status: string
  /** ISO 4217. */
  currency: string
  /** Digits after the point of an amount in this currency: 2 for EUR, 0 for JPY, 3 for KWD. */
  minorUnits: number
  /** BCP 47; the language of the fixed wording is English. */
  language: string
  client: string
  project: string
  preparedBy: string
  /** ISO 8601. What the file's own date is made of, so that the same revision gives the same bytes. */
  issuedAt: string
  /** `YYYY-MM-DD`. */
  validUntil: string | null
  lines: SheetLine[]
  subtotal: string
  /** `amount` is what is taken off, above zero. */
  discount: { label: string; amount: string } | null
  tax: { label: string; amount: string } | null
  total: string
  notes: string
  approvals: SheetApproval[]
  letterhead: Letterhead
}

export type SheetLine = {
  description: string
  quantity: string
  unitPrice: string
  amount: string
  /** `file`, `round`: what one of the quantity is. */
  unit: string | null
  /** An option may be left out by the client; a declined one counts for nothing and is shown struck. */
  option: 'none' | 'included' | 'declined'
}

export type SheetApproval = {
  step: string
  who: string
  decision: 'pending' | 'approved' | 'rejected'
  at: string | null
  comment: string
}

type Letterhead = {
  name: string
  address: string
  taxId: string
  terms: string
  /** A PNG or JPEG, base64; null: the name stands in its place. */
  logo: { data: string; format: 'png' | 'jpg'; width: number; height: number } | null
}
