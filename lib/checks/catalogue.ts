import { adSizeCheck } from './archive/ad-size-check'
import { archiveCheck } from './archive/archive-check'
import { clickTagCheck } from './archive/click-tag-check'
import type { Check } from './check'
import { javascriptCheck } from './document/javascript-check'
import { pageCountCheck } from './document/page-count-check'
import { pageSizeCheck } from './document/page-size-check'
import { pdfVersionCheck } from './document/pdf-version-check'
import { fileSizeCheck } from './file/file-size-check'
import { fileTypeCheck } from './file/file-type-check'
import { integrityCheck } from './file/integrity-check'
import { nameMatchesMediaCheck } from './file/name-matches-media-check'
import { nearDuplicateCheck } from './file/near-duplicate-check'
import { animationCheck } from './image/animation-check'
import { bitDepthCheck } from './image/bit-depth-check'
import { blankCheck } from './image/blank-check'
import { borderCheck } from './image/border-check'
import { colourSpaceCheck } from './image/colour-space-check'
import { compressionCheck } from './image/compression-check'
import { metadataPrivacyCheck } from './image/metadata-privacy-check'
import { resolutionCheck } from './image/resolution-check'
import { sharpnessCheck } from './image/sharpness-check'
import { transparencyCheck } from './image/transparency-check'
import { aspectRatioCheck } from './picture/aspect-ratio-check'
import { dimensionCheck } from './picture/dimension-check'
import { channelLayoutCheck } from './sound/channel-layout-check'
import { sampleRateCheck } from './sound/sample-rate-check'
import { audioPresenceCheck } from './video/audio-presence-check'
import { avSyncLengthCheck } from './video/av-sync-length-check'
import { bitrateCheck } from './video/bitrate-check'
import { durationCheck } from './video/duration-check'
import { fastStartCheck } from './video/fast-start-check'
import { frameRateCheck } from './video/frame-rate-check'
import { scanTypeCheck } from './video/scan-type-check'
import { videoCodecCheck } from './video/video-codec-check'

/** Every check there is, in the order a result lists them. What is not in it was not built, and never shows. */
export const CATALOGUE: readonly Check[] = [
  integrityCheck,
  fileTypeCheck,
  fileSizeCheck,
  nameMatchesMediaCheck,
  nearDuplicateCheck,
  dimensionCheck,
  aspectRatioCheck,
  colourSpaceCheck,
  resolutionCheck,
  bitDepthCheck,
  transparencyCheck,
  sharpnessCheck,
  compressionCheck,
  blankCheck,
  borderCheck,
  animationCheck,
  metadataPrivacyCheck,
  durationCheck,
  frameRateCheck,
  videoCodecCheck,
  scanTypeCheck,
  bitrateCheck,
  fastStartCheck,
  audioPresenceCheck,
  avSyncLengthCheck,
  sampleRateCheck,
  channelLayoutCheck,
  pageCountCheck,
  pageSizeCheck,
  pdfVersionCheck,
  javascriptCheck,
  archiveCheck,
  adSizeCheck,
  clickTagCheck,
]

export const CHECK_IDS = CATALOGUE.map((check) => check.id)

const byId = new Map<string, Check>(CATALOGUE.map((check) => [check.id, check]))

/** The check of that id; undefined when there is none. */
export function findCheck(id: string): Check | undefined {
  return byId.get(id)
}
