/** Disagreements whose reason is known, by what is compared and the file. */
const EXPLAINED: readonly { what: RegExp; file: RegExp; why: string }[] = [
  {
    what: /^still/,
    file: /freeze_frames_check\/one-still-coarse(-colours)?\.mp4$/,
    why: 'One still image was coded coarsely: freezedetect takes what each key frame draws otherwise for motion.',
  },
  {
    what: /^still/,
    file: /freeze_frames_check\/slow-pan-stands-1\.52\.mp4$/,
    why: 'The pan moves by less than a pixel a frame and stands for 1.52 s: both are a few frames from that.',
  },
  {
    what: /^duration/,
    file: /sample_fragmented-4cfa98aa\.mp4$/,
    why: 'Its audio has two gaps between its fragments: ffprobe states when it ends, and here stands how much of it there is.',
  },
  {
    what: /^true peak/,
    file: /loudness_check\/peak[-\d.]+\.wav$/,
    why: 'The peak is computed from the sine that was written, and is in the name. ebur128 of FFmpeg 5 states half a decibel more: its resampler overshoots where the file begins.',
  },
  {
    what: /^true peak/,
    file: /(phase_check\/phase\d+|av_sync_length_check\/audio-2\.12|duration_check\/(long|spot_3s))\.(wav|mov)$/,
    why: 'The sine begins or ends in the middle of its wave: as silence is played before and after it, the step overshoots by up to 9 % (0.8 dB), which is counted here. The resampler of FFmpeg takes no silence there.',
  },
  {
    what: /^true peak/,
    file: /(audio_click_check\/(gust|noise|sticks)|audio_dropout_check\/hits|clipping_check\/slow-12000)\.wav$/,
    why: 'Noise, hits and a tone at a quarter of the rate: what lies between samples depends on the filter, here the twelve taps a phase of BS.1770-5, Annex 2; FFmpeg takes another.',
  },
  {
    what: /^loudness range/,
    file: /(audio_click|audio_dropout|av_sync_length|duration|silence)_check\//,
    why: 'Audio of a few seconds. FFmpeg counts the first three seconds, too, in which its window is not full and seems to become louder; of steady audio it states 20 LU.',
  },
  {
    what: /^loudness, LUFS/,
    file: /channel_layout_check\/four\.wav$/,
    why: 'FFmpeg takes the third and fourth channel for surrounds that weigh 1.41. Of four channels whose places are not known, each weighs 1 here.',
  },
  {
    what: /^BleedBox/,
    file: /bleed_check\/beyond\.pdf$/,
    why: 'The bleed box reaches beyond the media box: pdfinfo states what of it lies within (ISO 32000-1, 14.11.2.1), here stands what the page states.',
  },
  {
    what: /^fields/,
    file: /block_edges_check\//,
    why: 'Progressive frames with broken or coarse blocks: idet takes the edges between lines of blocks for combs.',
  },
  {
    what: /^still/,
    file: /leader_check\/clock-in-the-programme\.mp4$/,
    why: 'The hand of a clock moves: to freezedetect so small a part is noise.',
  },
  {
    what: /^frame rate/,
    file: /frame_rate_check\/uneven\.mp4$/,
    why: 'Frames come at uneven times: ffprobe leaves the length of the last one out of the mean.',
  },
  {
    what: /^duration/,
    file: /required_text_check\/(never-shown|shown-at-)/,
    why: 'Ten frames a second: ffprobe ends where the last frame begins.',
  },
  {
    what: /^is intact/,
    file: /integrity_check\/(cut\.mp3|short\.mp4)$/,
    why: 'The last frame or box is cut: FFmpeg decodes what is there and says nothing.',
  },
  {
    what: /^MediaBox/,
    file: /user-unit/,
    why: 'pdfinfo states the numbers of the box and leaves out UserUnit, which says how long they are (ISO 32000-1, 7.7.3.3).',
  },
  {
    what: /^fonts not embedded/,
    file: /(font_embedding_check\/one-(listed-only|set-and-not-shown|invisible)|overprint_check\/white-text-invisible|required_text_check\/invisible(-clipping)?|rich_black_check\/registration-[a-z-]+)\.pdf$/,
    why: 'pdffonts names every font of the resources; the check asks of those that paint something.',
  },
  {
    what: /^has scripts/,
    file: /javascript_check\//,
    why: 'pdfinfo does not look for scripts there: actions at opening, of links and after others, renditions, XFA, addresses.',
  },
]

export const whyOf = (file: string, what: string): string | null =>
  EXPLAINED.find((each) => each.what.test(what) && each.file.test(file))?.why ?? null
