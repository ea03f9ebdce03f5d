/** Disagreements whose reason is known, by what is compared and the file. */
const EXPLAINED: readonly { what: RegExp; file: RegExp; why: string }[] = [
  {
    what: /^still/,
    file: /freeze_frames_check\/one-still-coarse\.mp4$/,
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
    what: /^MediaBox/,
    file: /user-unit/,
    why: 'pdfinfo states the numbers of the box and leaves out UserUnit, which says how long they are (ISO 32000-1, 7.7.3.3).',
  },
  {
    what: /^fonts not embedded/,
    file: /font_embedding_check\/one-(listed-only|set-and-not-shown|invisible)\.pdf$/,
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
