import { StatusText, type Tone } from '@/components/ui/badge'
import { LABELS, type ReviewDecision } from '@/lib/vocabulary'

const TONES: Record<ReviewDecision, Tone> = { pending: 'neutral', approved: 'pass', rejected: 'fail' }

/** What was decided on a file. */
export const Decision = ({ decision }: { decision: ReviewDecision }) => (
  <StatusText tone={TONES[decision]}>{LABELS.reviewDecision[decision]}</StatusText>
)
