import { cn } from '@/components/ui/cn'
import type { Comment } from '@/lib/domain/review/schema'
import { piecesOf } from './mentions'

/** What a comment says; people who may see the batch stand out by name. */
export function CommentText({ comment, className }: { comment: Comment; className?: string }) {
  return (
    <p className={cn('wrap-anywhere whitespace-pre-wrap', className)}>
      {piecesOf(comment.body, comment.mentions).map((piece, index) =>
        piece.isName ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names; their order is what they are
          <span key={index} data-mention className="rounded-xs bg-accent-soft px-0.5 font-medium text-accent-ink">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </p>
  )
}
