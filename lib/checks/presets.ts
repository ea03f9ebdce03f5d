import { IAB_INITIAL_LOADS } from './archive/load'
import type { CheckSettings } from './engine'

/** A ready set of thresholds for a kind of delivery: where a media category starts, not where it must stay. */
export type Preset = {
  id: string
  label: string
  /** What it is for, and where its numbers come from. */
  describe: string
  checks: Readonly<Record<string, CheckSettings>>
}

const IAB_SIZES = Object.keys(IAB_INITIAL_LOADS)

export const PRESETS: readonly Preset[] = [
  {
    id: 'iab_display',
    label: 'Display ads (IAB)',
    describe: 'Sizes and initial loads of the IAB New Ad Portfolio (2017); animation stops after 30 seconds.',
    checks: {
      dimension_check: { thresholds: { sizes: IAB_SIZES } },
      file_size_check: { thresholds: { max_bytes_by_size: IAB_INITIAL_LOADS } },
      colour_space_check: { thresholds: { allowed: ['srgb', 'grey'] } },
      border_check: { enabled: true },
      animation_check: { severity: 'fail', thresholds: { max_total_seconds: 30 } },
      archive_check: { thresholds: { entry_point: 'required', max_files: 40 } },
      ad_size_check: { thresholds: { sizes: IAB_SIZES } },
    },
  },
  {
    id: 'social',
    label: 'Social media',
    describe: 'The ratios the large platforms show (1:1, 4:5, 9:16, 16:9, 1.91:1), at 1080 px and more, H.264 in sRGB.',
    checks: {
      aspect_ratio_check: { thresholds: { ratios: ['1x1', '4x5', '9x16', '16x9', '1.91x1'] } },
      dimension_check: { thresholds: { min_width: 1080 } },
      colour_space_check: { thresholds: { allowed: ['srgb'] } },
      animation_check: { enabled: false },
      video_codec_check: { thresholds: { codecs: ['h264'], pixel_formats: ['yuv420p'] } },
      fast_start_check: { severity: 'fail' },
      sample_rate_check: { thresholds: { rates_hz: [44_100, 48_000] } },
    },
  },
  {
    id: 'streaming',
    label: 'Streaming and connected TV',
    describe: 'Spots of exact length in 1920 × 1080, at 15 to 30 Mbit/s, progressive, with stereo audio at 48 kHz.',
    checks: {
      dimension_check: { thresholds: { sizes: ['1920x1080'] } },
      duration_check: { thresholds: { lengths_seconds: [6, 15, 20, 30, 60] } },
      frame_rate_check: { thresholds: { rates: [23.976, 24, 25, 29.97, 30] } },
      video_codec_check: { thresholds: { codecs: ['h264', 'prores'] } },
      bitrate_check: { thresholds: { min_kbps: 15_000 } },
      scan_type_check: { severity: 'fail' },
      audio_presence_check: { thresholds: { rule: 'required' } },
      sample_rate_check: { thresholds: { rates_hz: [48_000] } },
      channel_layout_check: { thresholds: { layouts: ['stereo'] } },
      loudness_check: { severity: 'fail', thresholds: { target_lufs: -24, tolerance_lu: 2, max_true_peak_dbtp: -2 } },
      letterbox_check: { severity: 'fail' },
    },
  },
  {
    id: 'broadcast_eu',
    label: 'Broadcast, Europe',
    describe:
      '1920 × 1080 at 25 frames per second (ITU-R BT.709-6), either scan, top field first, audio at 48 kHz (EBU R 85).',
    checks: {
      dimension_check: { thresholds: { sizes: ['1920x1080'] } },
      duration_check: { thresholds: { lengths_seconds: [5, 10, 15, 20, 30, 45, 60], tolerance_seconds: 0 } },
      frame_rate_check: { thresholds: { rates: [25] } },
      scan_type_check: { thresholds: { wanted: 'any', field_order: 'tff' } },
      video_level_check: { enabled: true },
      track_check: { thresholds: { data: 'forbidden' } },
      fast_start_check: { enabled: false },
      mxf_pattern_check: { severity: 'fail' },
      audio_presence_check: { thresholds: { rule: 'required' } },
      loudness_check: {
        severity: 'fail',
        thresholds: { target_lufs: -23, tolerance_lu: 0.5, max_true_peak_dbtp: -1, max_short_term_lufs: -18 },
      },
      sample_rate_check: { thresholds: { rates_hz: [48_000] } },
    },
  },
  {
    id: 'print',
    label: 'Print (PDF/X-4)',
    describe: 'CMYK and grey with an output intent and trim and bleed boxes (ISO 15930-7), images at 300 dpi.',
    checks: {
      colour_space_check: { thresholds: { allowed: ['cmyk', 'grey'], require_profile: true } },
      resolution_check: { thresholds: { min_dpi: 300 } },
      pdf_version_check: { thresholds: { max_version: 1.6 } },
      page_size_check: { thresholds: { require_trim_box: true, require_bleed_box: true } },
      bleed_check: { thresholds: { min_mm: 3 } },
      image_resolution_check: { thresholds: { min_dpi: 225 } },
      pdfx_check: { thresholds: { versions: ['PDF/X-4'] } },
      spot_colour_check: { severity: 'fail' },
      overprint_check: { severity: 'fail', thresholds: { black_text_below_pt: 12 } },
      transparency_check: { thresholds: { blend_space: 'cmyk' } },
      layer_check: { thresholds: { rule: 'none_hidden' } },
      annotation_check: { severity: 'fail', thresholds: { rule: 'none' } },
      attachment_check: { thresholds: { rule: 'none' } },
      ink_coverage_check: { thresholds: { max_percent: 300 } },
      line_width_check: { thresholds: { min_pt: 0.25 } },
      text_size_check: { thresholds: { min_pt: 5, min_multi_ink_pt: 8, min_reversed_pt: 7 } },
      animation_check: { thresholds: { allowed: false } },
      border_check: { enabled: false },
    },
  },
]
