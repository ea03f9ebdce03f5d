import { formatNumber } from '@/lib/client/format'
import type { BatchStatus, ReviewDecision } from '@/lib/vocabulary'
import { DomainError, invalidState, quote, type Violation } from '../kernel/errors'
import { judgeName } from '../naming/judge-name'
import { nameKey } from '../naming/portable-name'
import { describeMediaType, extensionOf, findTypeByExtension, isExtensionFor, MEDIA_TYPES } from './media-types'

/** A file that is there already, as far as judging a new one needs it. */
export type Held = {
  id: string
  name: string
  nameKey: string
  version: number
  decision: ReviewDecision
  sha256: string
}

/** What a batch asks of a new file; everything `judge…` needs to know, read once. */
export type Expectations = {
  by: 'user' | 'upload_link'
  batchStatus: BatchStatus
  template: string | null
  agencyCode: string | null
  campaignCodes: string[]
  /** Empty: everything whose integrity the service can judge. */
  mediaTypes: readonly string[]
  /** Bytes. */
  maxFileSize: number
  /** Current files of the batch. */
  held: readonly Held[]
  /** Name keys of the delivery manifest; empty: no manifest. */
  manifest: ReadonlySet<string>
}

/** Extensions a name may carry under these expectations. */
export function allowedExtensions(mediaTypes: readonly string[]): string[] {
  return MEDIA_TYPES.filter((type) => mediaTypes.length === 0 || mediaTypes.includes(type.mediaType)).flatMap(
    (type) => [...type.extensions],
  )
}

/** The file this one is the next version of: one of the same name that was rejected in review. */
export const supersededBy = (held: readonly Held[], name: string) =>
  held.find((file) => file.nameKey === nameKey(name) && file.decision === 'rejected')

const existing = (file: Held, by: Expectations['by']) => ({
  ...(by === 'user' && { id: file.id }),
  name: file.name,
  version: file.version,
})

/** Everything that can be said of a file by its name and size alone, before a byte of it is read. */
export function judgeBeforeBytes(expectations: Expectations, file: { name: string; size?: number }): Violation[] {
  const { by, held } = expectations
  const violations: Violation[] = judgeName({
    template: expectations.template,
    name: file.name,
    context: {
      agencyCode: expectations.agencyCode,
      campaignCodes: expectations.campaignCodes,
      extensions: allowedExtensions(expectations.mediaTypes),
    },
  }).violations

  const extension = extensionOf(file.name)
  const type = findTypeByExtension(extension)
  const saidByName = violations.some((violation) => violation.token === 'ext')
  if (
    !saidByName &&
    extension &&
    expectations.mediaTypes.length > 0 &&
    !expectations.mediaTypes.some((allowed) => isExtensionFor(extension, allowed))
  ) {
    violations.push(mediaTypeViolation(type ? type.label : `.${extension}`, expectations.mediaTypes))
  }
  if (file.size !== undefined && file.size > expectations.maxFileSize)
    violations.push(sizeViolation(file.size, expectations.maxFileSize))

  const twin = held.find((other) => other.nameKey === nameKey(file.name))
  if (twin && twin.decision !== 'rejected') {
    violations.push({
      rule: 'duplicate',
      code: 'duplicate_name',
      message:
        twin.decision === 'approved'
          ? `${quote(twin.name)} is approved and locked. If this is another file, give it another name.`
          : `The batch already holds a file named ${quote(twin.name)}. Give this one another name; it becomes a new version only once the first was rejected in review.`,
      existing_file: existing(twin, by),
    })
  }
  if (by === 'upload_link') violations.push(...unexpectedByLink(expectations, file.name))
  return violations
}

/** While a resupply is awaited, and where there is a manifest, a link takes only what is expected. */
function unexpectedByLink({ batchStatus, held, manifest }: Expectations, name: string): Violation[] {
  const key = nameKey(name)
  const rejected = held.filter((file) => file.decision === 'rejected')
  if (batchStatus === 'awaiting_resupply') {
    const missing = new Set([...manifest].filter((entry) => !held.some((file) => file.nameKey === entry)))
    if (rejected.some((file) => file.nameKey === key) || missing.has(key)) return []
    return [
      {
        rule: 'resupply',
        code: 'not_expected',
        message: `Only what was rejected is expected now, and ${quote(name)} is not among it. Send a new version under the same name.`,
        expected: rejected.map((file) => file.name).join(', '),
      },
    ]
  }
  if (manifest.size > 0 && !manifest.has(key)) {
    return [
      {
        rule: 'resupply',
        code: 'not_expected',
        message: `${quote(name)} is not on the list of expected files. Check the name against the list, or ask who sent you the link.`,
      },
    ]
  }
  return []
}

/** What the bytes add: type, integrity, the same content elsewhere. */
export function judgeBytes(
  expectations: Expectations,
  file: { name: string; sha256: string; inspection: { mediaType: string; violations: Violation[] } },
  sameContent: (Held & { batch: { id: string; name: string }; isSameBatch: boolean }) | null,
): Violation[] {
  const { by, mediaTypes } = expectations
  const violations = [...file.inspection.violations]
  const isSound = violations.length === 0
  const isAllowed =
    mediaTypes.length === 0 ||
    mediaTypes.includes(file.inspection.mediaType) ||
    mediaTypes.some((allowed) => isExtensionFor(extensionOf(file.name), allowed))
  if (isSound && !isAllowed)
    violations.push(mediaTypeViolation(describeMediaType(file.inspection.mediaType), mediaTypes))
  if (sameContent) {
    const predecessor = supersededBy(expectations.held, file.name)
    if (predecessor && predecessor.sha256 === file.sha256) {
      violations.push({
        rule: 'resupply',
        code: 'unchanged',
        message: `This is byte for byte the version of ${quote(predecessor.name)} that was rejected. Mend what the review asked for and export it again.`,
        existing_file: existing(predecessor, by),
      })
    }
    // Someone with a link learns of no file outside the batch the link is for.
    const isShown = by === 'user' || sameContent.isSameBatch
    violations.push({
      rule: 'duplicate',
      code: 'duplicate_content',
      message: isShown
        ? `The same bytes are already here as ${quote(sameContent.name)}, version ${sameContent.version}${by === 'user' ? `, in the batch ${quote(sameContent.batch.name)}` : ''}. Leave this one out, or check that you exported the right file.`
        : 'The same bytes were already delivered for this project. Leave this one out, or check that you exported the right file.',
      ...(isShown && {
        existing_file: { ...existing(sameContent, by), ...(by === 'user' && { batch: sameContent.batch }) },
      }),
    })
  }
  return violations
}

function mediaTypeViolation(found: string, mediaTypes: readonly string[]): Violation {
  const expected = mediaTypes.map(describeMediaType).join(', ')
  return {
    rule: 'media_type',
    code: 'media_type_not_allowed',
    message: `${found} is not taken here. Send one of: ${expected}.`,
    expected,
  }
}

export function sizeViolation(size: number, max: number): Violation {
  const expected = `at most ${formatNumber(max)} bytes`
  return {
    rule: 'size',
    code: 'too_large',
    message: `The file has ${formatNumber(size)} bytes; ${expected} are allowed. Export it smaller, or ask for the limit to be raised.`,
    expected,
  }
}

/** A file is decided while its batch is in review, and only its current version. @throws `invalid_state` */
export function assertReviewable(batch: { status: BatchStatus }, file: { name: string; isCurrent: boolean }) {
  if (batch.status !== 'in_review') {
    throw invalidState(`Files are decided while their batch is in review; this one is ${batch.status}.`, batch.status, [
      'in_review',
    ])
  }
  if (!file.isCurrent) {
    throw invalidState(`${quote(file.name)} was replaced by a newer version. Decide on that one.`, 'superseded', [
      'current',
    ])
  }
}

/** Pages of a document that are drawn for looking at; nobody leafs through more in a review. */
export const DRAWN_PAGES = 24
/** What the picture of a page is called in the store; the first is the file's preview. */
export const pagePicture = (page: number) => `page-${page}`

/**
 * A decision is about the bytes and the state somebody looked at.
 * @throws `stale` when the file holds other bytes than were looked at, or somebody decided on it since
 */
export function assertAsSeen(
  file: { name: string; sha256: string; decision: ReviewDecision },
  seen: { sha256?: string; expected_decision?: ReviewDecision },
) {
  if (seen.sha256 && seen.sha256.toLowerCase() !== file.sha256) {
    throw new DomainError(
      'stale',
      `${quote(file.name)} holds other bytes than you looked at (SHA-256 ${file.sha256}). Look at it again, then decide.`,
    )
  }
  if (seen.expected_decision && seen.expected_decision !== file.decision) {
    throw new DomainError(
      'stale',
      `${quote(file.name)} is ${file.decision} by now; it was ${seen.expected_decision} when you looked at it. Look again, then decide.`,
    )
  }
}
