import { Lock } from 'lucide-react'
import { Avatar } from '@/components/ui/avatar'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Comment } from '@/lib/domain/review/schema'

export const CommentByline = ({ comment }: { comment: Comment }) => (
  <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-subtle">
    <Avatar name={comment.author.name} size="sm" />
    <span className="font-medium text-ink">{comment.author.name}</span>
    <RelativeTime value={comment.created_at} />
    {comment.edited_at && 'edited'}
    {comment.is_internal && (
      <span className="inline-flex items-center gap-0.5">
        <Lock aria-hidden="true" className="size-3" />
        Team only
      </span>
    )}
  </p>
)
