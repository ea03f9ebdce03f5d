import { type Check, type Expectations, isFailure, type Quantity, type Subject } from '@/lib/checks/check'
import { askCheck, type CheckResult, DEFAULT_CONFIDENCE_FLOOR } from '@/lib/checks/engine'
import { integrityCheck } from '@/lib/checks/file/integrity-check'
import { allOf, anyOf } from '@/lib/checks/wording'
import { foresee } from '@/lib/repairs/foresee'
import { hasRecipe, planRepair, type RepairPlan } from '@/lib/repairs/plan'
import type { RepairStep } from '@/lib/repairs/steps'
import { type DestinationVerdict, LABELS } from '@/lib/vocabulary'
import { NEUTRAL, REQUIREMENT_CHECKS, type Requirement, type Specification } from './specification'

/** What one requirement says of one file. */
type RequirementResult = {
  /** Null: the kind of file itself. */
  check_id: string | null
  label: string
  level: Requirement['level']
  clause: string
  /** `not_applicable`: the file has nothing of what the requirement is about. */
  outcome: 'met' | 'not_met' | 'unknown' | 'not_applicable'
  details: string
  measured?: Quantity
  expected?: Quantity
  unit?: string
}

export type DestinationResult = {
  destination_id: string
  version: number
  verdict: DestinationVerdict
  /** In the order of the specification. */
  requirements: RequirementResult[]
  /** What a machine would do so that it fits; present where the verdict is `fits_after_repair`. */
  repair?: RepairStep[]
}

/** A destination knows nothing of the batch: neither its media category nor what names in it promise. */
const NOTHING_EXPECTED: Expectations = { mediaTypes: [], maxFileBytes: null }

/**
 * Skipped by these although the file has what they are about: it does not say what is asked, or could not be measured. What
 * other checks skip has nothing of the kind, such as a video without audio.
 */
const UNKNOWN_WHEN_SKIPPED = new Set([
  'bit_depth_check',
  'colour_space_check',
  'dialogue_loudness_check',
  'frame_group_check',
  'leader_check',
  'loudness_check',
  'metadata_privacy_check',
  'programme_layout_check',
  'resolution_check',
  'scan_type_check',
  'track_check',
  'transparency_check',
  'video_level_check',
])

const BY_ID = new Map(REQUIREMENT_CHECKS.map((check) => [check.id as string, check]))

/**
 * Whether a file, by what was measured of it, fits each of the destinations. Pure; nothing is decoded. A required
 * requirement that is not met makes it not fit; one that was not measured, or of which the engine is less sure than a fail
 * needs, leaves it unknown; where a machine can fix all that is not met, it fits after repair. Recommended ones are reported and decide nothing. A file that is not whole fits nowhere.
 */
export function evaluateDestinations(subject: Subject, destinations: readonly Specification[]): DestinationResult[] {
  const file = asSeen(subject)
  const { depth } = subject
  const integrity = resultOf(
    { check: integrityCheck.id, thresholds: {}, level: 'required', clause: 'Every destination: the file is whole' },
    integrityCheck,
    depth ? { ...file, depth } : file,
  )
  const evaluate = (specification: Specification, file: Subject): DestinationResult => {
    const requirements = [
      ...(integrity.outcome === 'met' ? [] : [integrity]),
      ...(specification.kinds.includes(file.kind)
        ? specification.requirements.flatMap((requirement) => evaluateRequirement(requirement, file))
        : [wrongKind(specification, file)]),
    ]
    return {
      destination_id: specification.id,
      version: specification.version,
      verdict: verdictOf(requirements),
      requirements,
    }
  }
  return destinations.map((specification) => {
    const result = evaluate(specification, file)
    if (result.verdict !== 'does_not_fit') return result
    const { steps } = repairFor(subject, specification, result)
    if (steps.length === 0) return result
    // Named as it is: what is copied under another name is the same to a destination, and has to be a type it takes.
    return evaluate(specification, foresee(file, steps)).verdict === 'fits'
      ? { ...result, verdict: 'fits_after_repair' as const, repair: steps }
      : result
  })
}

/** A file as destinations see it, measured whole. */
function asSeen(subject: Subject): Subject {
  const { nextNames: _, neighbours: __, depth: ___, ...rest } = subject
  const { requiredCopy } = subject.expectations
  // The text of a file is known where its batch requires copy, and there alone.
  return { ...rest, claims: {}, expectations: { ...NOTHING_EXPECTED, ...(requiredCopy && { requiredCopy }) } }
}

/** What these checks say of a file by what a destination asks; of a check that it asks twice, what is not met. */
export function linesFor(subject: Subject, { requirements }: Specification, ids: readonly string[]): CheckResult[] {
  const file = asSeen(subject)
  return ids.flatMap((id) => {
    const check = BY_ID.get(id)
    const lines = requirements.flatMap((requirement) =>
      check && requirement.check === id ? (askCheck(file, check, thresholdsOf(requirement)) ?? []) : [],
    )
    return lines.find(({ status }) => status === 'fail') ?? lines[0] ?? []
  })
}

/** What can be repaired of a file so that it fits a destination: of the requirements it does not meet. */
export function repairFor(
  subject: Subject,
  specification: Specification,
  { requirements }: Pick<DestinationResult, 'requirements'>,
): RepairPlan {
  const failed = new Set(requirements.flatMap(({ outcome, check_id }) => (outcome === 'not_met' ? [check_id] : [])))
  if (![...failed].some((id) => id !== null && hasRecipe(id))) return { steps: [], fixes: [], left: [] }
  const wanted = specification.requirements.flatMap((requirement) => {
    const check = BY_ID.get(requirement.check)
    return check && failed.has(check.id) ? [{ check, thresholds: thresholdsOf(requirement) }] : []
  })
  return planRepair({ ...subject, expectations: NOTHING_EXPECTED }, wanted)
}

function verdictOf(results: readonly RequirementResult[]): DestinationVerdict {
  const required = results.filter(({ level }) => level === 'required')
  if (required.some(({ outcome }) => outcome === 'not_met')) return 'does_not_fit'
  if (required.some(({ outcome }) => outcome === 'unknown')) return 'unknown'
  return results.some(({ outcome }) => outcome === 'met' || outcome === 'not_met') ? 'fits' : 'unknown'
}

function evaluateRequirement(requirement: Requirement, file: Subject): RequirementResult[] {
  const check = BY_ID.get(requirement.check)
  if (!check) {
    const details = `This version of Greenroom has no check “${requirement.check}”.`
    return [{ ...stated(requirement, requirement.check), outcome: 'unknown', details }]
  }
  return check.kinds.includes(file.kind) ? [resultOf(requirement, check, file)] : []
}

const thresholdsOf = ({ check, thresholds }: Pick<Requirement, 'check' | 'thresholds'>) => ({
  ...NEUTRAL[check],
  ...thresholds,
})

const stated = ({ check, level, clause }: Requirement, label: string) => ({ check_id: check, label, level, clause })

function resultOf(requirement: Requirement, check: Check, file: Subject): RequirementResult {
  const line = askCheck(file, check, thresholdsOf(requirement))
  if (!line) throw new Error(`${check.id} gave no result.`)
  const { details, measured, expected, unit } = line
  return {
    ...stated(requirement, check.label),
    outcome: outcomeOf(line, check, file),
    details,
    ...(measured !== undefined && { measured }),
    ...(expected !== undefined && { expected }),
    ...(unit !== undefined && { unit }),
  }
}

function outcomeOf(line: CheckResult, check: Check, file: Subject): RequirementResult['outcome'] {
  switch (line.status) {
    case 'pass':
      return 'met'
    case 'fail':
      return 'not_met'
    case 'warning':
      // A violation that is certain, yet only warns by nature, such as uneven frames. Integrity warns while it is being measured.
      return line.confidence >= DEFAULT_CONFIDENCE_FLOOR && check.id !== integrityCheck.id ? 'not_met' : 'unknown'
    case 'skipped':
      return UNKNOWN_WHEN_SKIPPED.has(check.id) && !hasNothingFor(check, file) ? 'unknown' : 'not_applicable'
    default:
      return 'unknown'
  }
}

const hasNothingFor = (check: Check, { media, expectations }: Subject) =>
  check.reads === 'media' && !isFailure(media) && (check.notFor?.(media as never, expectations) ?? null) !== null

function wrongKind({ kinds }: Specification, { kind }: Subject): RequirementResult {
  const wanted = anyOf(kinds.map((one) => LABELS.mediaKind[one].toLowerCase()))
  return {
    check_id: null,
    label: 'Kind of file',
    level: 'required',
    clause: `For ${allOf(kinds.map((one) => LABELS.mediaKind[one].toLowerCase()))}`,
    outcome: 'not_met',
    details: `The file is of the kind ${LABELS.mediaKind[kind].toLowerCase()}; ${wanted} is wanted.`,
    measured: kind,
    expected: kinds.join(', '),
  }
}
