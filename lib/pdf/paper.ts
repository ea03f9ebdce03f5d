/** The sheet and what is on it, in points (1/72 inch). */
export const PAPER = { width: 595.28, height: 841.89, size: 'A4' } as const
export const MARGIN = { left: 52, right: 52, top: 44, bottom: 60 } as const
export const BODY_WIDTH = PAPER.width - MARGIN.left - MARGIN.right
/** Pages after the first begin with a line that says what they belong to. */
const RUNNING_HEAD = 30

export const bodyTop = (page: number) => (page === 0 ? MARGIN.top : MARGIN.top + RUNNING_HEAD)
export const bodyHeight = (page: number) => PAPER.height - bodyTop(page) - MARGIN.bottom

export const COLOR = {
  ink: '#16211f',
  muted: '#56625f',
  rule: '#d5dbd9',
  strong: '#16211f',
  accent: '#0f5c41',
  fail: '#a3251c',
} as const
