import { z } from 'zod'
import { CATALOGUE } from '@/lib/checks/catalogue'
import type { Check } from '@/lib/checks/check'
import { quote } from '@/lib/domain/kernel/errors'
import { fieldErrors, line } from '@/lib/domain/kernel/shapes'
import { DESTINATION_FAMILIES, MEDIA_KINDS } from '@/lib/vocabulary'
import { readLocatedJson } from './located-json'

/** Characters of a document: several times the longest specification that is shipped. */
const DOCUMENT_MAX_CHARACTERS = 200_000

/** Checks of the batch and its project rather than of the file, and the one that every destination implies. */
const NO_REQUIREMENT = new Set([
  'integrity_check',
  'name_matches_media_check',
  'near_duplicate_check',
  'required_text_check',
])

/** The checks a requirement may name. */
export const REQUIREMENT_CHECKS: readonly Check[] = CATALOGUE.filter(({ id }) => !NO_REQUIREMENT.has(id))

/**
 * Thresholds that a check applies by default. A destination asks what its document asks and nothing else, so
 * that what a requirement does not state is set to what every file meets.
 */
export const NEUTRAL: Readonly<Record<string, Record<string, unknown>>> = {
  loudness_check: { max_true_peak_dbtp: null },
  dialogue_loudness_check: { least_percent: 0 },
  frame_rate_check: { constant: false },
  scan_type_check: { wanted: 'any' },
  font_embedding_check: { allow_type3: true },
  track_check: { max_videos: null },
  cadence_check: { max_repeats: null, cadence: 'any' },
  block_edges_check: { max_percent: 100 },
  timecode_check: { max_jumps: null },
  leader_check: { bars: 'any', tone: 'any' },
  dynamic_range_check: { max_pixel_nits: null },
  video_level_check: { max_percent: null, min_percent: null },
  animation_check: { max_total_seconds: null },
  ad_animation_check: { max_seconds: null },
  request_count_check: { max_requests: null },
  initial_load_check: { max_bytes_by_size: {} },
  subload_check: { max_bytes_by_size: {} },
  heavy_ad_check: { max_network_bytes: null, max_window_cpu_seconds: null, max_total_cpu_seconds: null },
  vast_structure_check: { wrapper: true },
  vast_media_check: { types: [] },
  vast_tracking_check: { events: [] },
  flash_check: { max_per_second: 1000, max_extended_seconds: 1_000_000, max_pattern_seconds: 1_000_000 },
  black_frames_check: { max_inside_seconds: 1_000_000, max_edge_seconds: 1_000_000 },
  audio_dropout_check: { max_count: 1_000_000, pause_seconds: 0.001 },
  stereo_check: { max_imbalance_db: null },
  phase_check: { min_correlation: -1, max_opposed_seconds: 1_000_000 },
  sharpness_check: { min_variance: 1e-9, min_contour: 1e-9, min_evenness: 0 },
  compression_check: { min_quality: 1, max_blockiness: 30_000 },
  spot_colour_check: { max_count: 1000 },
  rich_black_check: { text_below_pt: null, line_below_pt: null, registration: 'any' },
  overprint_check: { white: 'warned_of' },
  qr_code_check: { https_only: false },
  external_request_check: { https_only: false },
  caption_timing_check: { min_seconds: null, max_seconds: null },
  caption_reading_speed_check: { max_characters_per_second: null },
  caption_layout_check: { max_characters: null, max_lines: null },
}

const Requirement = z.strictObject({
  check: z.string().max(100),
  thresholds: z.record(z.string().max(100), z.unknown()).default({}),
  level: z.enum(['required', 'recommended']).default('required'),
  clause: line(300),
})

/** One destination's technical specification, as its publisher wrote it and Greenroom can measure it. */
export const Specification = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'lower-case letters, digits and single underscores')
    .max(60),
  version: z.int().min(1).max(1_000_000),
  title: line(120),
  family: z.enum(DESTINATION_FAMILIES),
  kinds: z.array(z.enum(MEDIA_KINDS)).min(1).max(MEDIA_KINDS.length),
  source: z.strictObject({
    publisher: line(200),
    document: line(300),
    date: z
      .string()
      .regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/, 'a year, month or day such as 2023-11'),
    url: z.url({ protocol: /^https?$/, error: 'an address that begins with https://' }).max(500),
  }),
  maintained_by: line(200),
  requirements: z.array(Requirement).min(1).max(60),
  not_checked: z.array(line(300)).max(40).default([]),
})
export type Specification = z.infer<typeof Specification>
export type Requirement = Specification['requirements'][number]

/** What is wrong with a document: where it stands, and a sentence for who maintains it. */
type SpecificationFault = { line: number; path: string; message: string }

export type ParsedSpecification =
  | { ok: true; specification: Specification }
  | { ok: false; faults: SpecificationFault[] }

/** Reads one specification from the text of a JSON document. Every fault names its line and quotes the value. */
export function parseSpecification(text: string): ParsedSpecification {
  if (text.length > DOCUMENT_MAX_CHARACTERS) {
    const message = `The document has ${text.length} characters; at most ${DOCUMENT_MAX_CHARACTERS} are read.`
    return { ok: false, faults: [{ line: 1, path: '', message }] }
  }
  const json = readLocatedJson(text.replace(/^\ufeff/, ''))
  if (!json.ok)
    return { ok: false, faults: [{ line: json.line, path: '', message: `This is not JSON. ${json.message}` }] }
  const parsed = Specification.safeParse(json.value)
  const faults = parsed.success ? faultsOf(parsed.data) : fieldErrors(Specification, json.value)
  if (parsed.success && faults.length === 0) return { ok: true, specification: parsed.data }
  return { ok: false, faults: faults.map(({ path, message }) => ({ line: json.lineOf(path), path, message })) }
}

/** What the shape cannot say: that its checks exist, fit its kinds and have these thresholds. */
function faultsOf({ kinds, requirements }: Specification): { path: string; message: string }[] {
  return requirements.flatMap(({ check: id, thresholds }, index) => {
    const path = `requirements.${index}`
    const check = REQUIREMENT_CHECKS.find((one) => one.id === id)
    if (!check) {
      const known = REQUIREMENT_CHECKS.map((one) => one.id).join(', ')
      return [
        { path: `${path}.check`, message: `No requirement can name the check ${quote(id)}. It may name ${known}.` },
      ]
    }
    if (!check.kinds.some((kind) => kinds.includes(kind))) {
      const message = `${quote(id)} applies to ${check.kinds.join(', ')}; this destination takes ${kinds.join(', ')}.`
      return [{ path: `${path}.check`, message }]
    }
    const keys = Object.keys(check.thresholds.shape)
    if (keys.length > 0 && Object.keys(thresholds).length === 0) {
      return [{ path, message: `${check.label} is asked for without a threshold. State one of ${keys.join(', ')}.` }]
    }
    if (id === 'external_request_check' && thresholds.allowed_hosts === undefined) {
      return [
        { path, message: `${check.label} is asked for without allowed_hosts. State them; an empty list allows none.` },
      ]
    }
    return fieldErrors(check.thresholds.strict(), thresholds).map((error) => ({
      path: `${path}.thresholds${error.path && `.${error.path}`}`,
      message: `${check.label}: ${error.message}`,
    }))
  })
}
