import { adAnimationCheck } from './archive/ad-animation-check'
import { adBehaviourCheck } from './archive/ad-behaviour-check'
import { adFeatureCheck } from './archive/ad-feature-check'
import { adFrameCheck } from './archive/ad-frame-check'
import { adReducedMotionCheck } from './archive/ad-reduced-motion-check'
import { adSizeCheck } from './archive/ad-size-check'
import { archiveCheck } from './archive/archive-check'
import { backupImageCheck } from './archive/backup-image-check'
import { clickAreaCheck } from './archive/click-area-check'
import { clickTagCheck } from './archive/click-tag-check'
import { consoleErrorCheck } from './archive/console-error-check'
import { cpuCheck } from './archive/cpu-check'
import { externalRequestCheck } from './archive/external-request-check'
import { heavyAdCheck } from './archive/heavy-ad-check'
import { imfPackageCheck } from './archive/imf-package-check'
import { initialLoadCheck } from './archive/initial-load-check'
import { missingAssetCheck } from './archive/missing-asset-check'
import { orphanAssetCheck } from './archive/orphan-asset-check'
import { requestCountCheck } from './archive/request-count-check'
import { subloadCheck } from './archive/subload-check'
import { audioClickCheck } from './audio/audio-click-check'
import { audioDepthCheck } from './audio/audio-depth-check'
import { audioDropoutCheck } from './audio/audio-dropout-check'
import { channelLayoutCheck } from './audio/channel-layout-check'
import { channelOrderCheck } from './audio/channel-order-check'
import { clippingCheck } from './audio/clipping-check'
import { dialogueLoudnessCheck } from './audio/dialogue-loudness-check'
import { loudnessCheck } from './audio/loudness-check'
import { mainsHumCheck } from './audio/mains-hum-check'
import { phaseCheck } from './audio/phase-check'
import { sampleRateCheck } from './audio/sample-rate-check'
import { silenceCheck } from './audio/silence-check'
import { stereoCheck } from './audio/stereo-check'
import { captionCoverageCheck } from './captions/caption-coverage-check'
import { captionFormatCheck } from './captions/caption-format-check'
import { captionLayoutCheck } from './captions/caption-layout-check'
import { captionReadingSpeedCheck } from './captions/caption-reading-speed-check'
import { captionTimingCheck } from './captions/caption-timing-check'
import type { Check } from './check'
import { annotationCheck } from './document/annotation-check'
import { attachmentCheck } from './document/attachment-check'
import { bleedCheck } from './document/bleed-check'
import { fontEmbeddingCheck } from './document/font-embedding-check'
import { imageResolutionCheck } from './document/image-resolution-check'
import { inkCoverageCheck } from './document/ink-coverage-check'
import { javascriptCheck } from './document/javascript-check'
import { layerCheck } from './document/layer-check'
import { lineWidthCheck } from './document/line-width-check'
import { outputIntentCheck } from './document/output-intent-check'
import { overprintCheck } from './document/overprint-check'
import { pageCountCheck } from './document/page-count-check'
import { pageSizeCheck } from './document/page-size-check'
import { pdfVersionCheck } from './document/pdf-version-check'
import { pdfxCheck } from './document/pdfx-check'
import { richBlackCheck } from './document/rich-black-check'
import { spotColourCheck } from './document/spot-colour-check'
import { spreadCheck } from './document/spread-check'
import { textSizeCheck } from './document/text-size-check'
import { fileSizeCheck } from './file/file-size-check'
import { fileTypeCheck } from './file/file-type-check'
import { integrityCheck } from './file/integrity-check'
import { nameMatchesMediaCheck } from './file/name-matches-media-check'
import { nearDuplicateCheck } from './file/near-duplicate-check'
import { provenanceCheck } from './file/provenance-check'
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
import { vastAddressCheck } from './vast/vast-address-check'
import { vastMediaCheck } from './vast/vast-media-check'
import { vastStructureCheck } from './vast/vast-structure-check'
import { vastTrackingCheck } from './vast/vast-tracking-check'
import { audioPresenceCheck } from './video/audio-presence-check'
import { avSyncLengthCheck } from './video/av-sync-length-check'
import { bitrateCheck } from './video/bitrate-check'
import { blackFramesCheck } from './video/black-frames-check'
import { blockEdgesCheck } from './video/block-edges-check'
import { cadenceCheck } from './video/cadence-check'
import { closedCaptionCheck } from './video/closed-caption-check'
import { durationCheck } from './video/duration-check'
import { dynamicRangeCheck } from './video/dynamic-range-check'
import { fastStartCheck } from './video/fast-start-check'
import { flashCheck } from './video/flash-check'
import { frameGroupCheck } from './video/frame-group-check'
import { frameRateCheck } from './video/frame-rate-check'
import { freezeFramesCheck } from './video/freeze-frames-check'
import { leaderCheck } from './video/leader-check'
import { letterboxCheck } from './video/letterbox-check'
import { mxfPatternCheck } from './video/mxf-pattern-check'
import { programmeLayoutCheck } from './video/programme-layout-check'
import { scanTypeCheck } from './video/scan-type-check'
import { timecodeCheck } from './video/timecode-check'
import { trackCheck } from './video/track-check'
import { videoCodecCheck } from './video/video-codec-check'
import { videoLevelCheck } from './video/video-level-check'
import { aspectRatioCheck } from './visual/aspect-ratio-check'
import { dimensionCheck } from './visual/dimension-check'
import { qrCodeCheck } from './visual/qr-code-check'
import { requiredTextCheck } from './visual/required-text-check'
import { safeAreaCheck } from './visual/safe-area-check'
import { textLegibilityCheck } from './visual/text-legibility-check'

/** Every check there is, in the order a result lists them. What is not in it was not built, and never shows. */
export const CATALOGUE: readonly Check[] = [
  integrityCheck,
  fileTypeCheck,
  fileSizeCheck,
  nameMatchesMediaCheck,
  nearDuplicateCheck,
  provenanceCheck,
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
  qrCodeCheck,
  requiredTextCheck,
  safeAreaCheck,
  textLegibilityCheck,
  durationCheck,
  frameRateCheck,
  videoCodecCheck,
  frameGroupCheck,
  trackCheck,
  scanTypeCheck,
  blackFramesCheck,
  freezeFramesCheck,
  cadenceCheck,
  blockEdgesCheck,
  flashCheck,
  leaderCheck,
  programmeLayoutCheck,
  letterboxCheck,
  videoLevelCheck,
  bitrateCheck,
  fastStartCheck,
  mxfPatternCheck,
  dynamicRangeCheck,
  timecodeCheck,
  closedCaptionCheck,
  audioPresenceCheck,
  avSyncLengthCheck,
  sampleRateCheck,
  channelLayoutCheck,
  channelOrderCheck,
  loudnessCheck,
  dialogueLoudnessCheck,
  silenceCheck,
  audioDropoutCheck,
  audioClickCheck,
  mainsHumCheck,
  clippingCheck,
  phaseCheck,
  stereoCheck,
  audioDepthCheck,
  pageCountCheck,
  pageSizeCheck,
  spreadCheck,
  bleedCheck,
  fontEmbeddingCheck,
  imageResolutionCheck,
  pdfxCheck,
  outputIntentCheck,
  pdfVersionCheck,
  spotColourCheck,
  overprintCheck,
  richBlackCheck,
  lineWidthCheck,
  textSizeCheck,
  inkCoverageCheck,
  javascriptCheck,
  layerCheck,
  annotationCheck,
  attachmentCheck,
  archiveCheck,
  imfPackageCheck,
  adBehaviourCheck,
  adFeatureCheck,
  adSizeCheck,
  adAnimationCheck,
  adFrameCheck,
  adReducedMotionCheck,
  clickTagCheck,
  clickAreaCheck,
  externalRequestCheck,
  missingAssetCheck,
  orphanAssetCheck,
  requestCountCheck,
  initialLoadCheck,
  subloadCheck,
  consoleErrorCheck,
  cpuCheck,
  heavyAdCheck,
  backupImageCheck,
  captionFormatCheck,
  captionTimingCheck,
  captionReadingSpeedCheck,
  captionLayoutCheck,
  captionCoverageCheck,
  vastStructureCheck,
  vastAddressCheck,
  vastMediaCheck,
  vastTrackingCheck,
]

export const CHECK_IDS = CATALOGUE.map((check) => check.id)
