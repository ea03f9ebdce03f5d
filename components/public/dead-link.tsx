import { Callout } from '@/components/ui/callout'
import type { ClosedUploadLink, PublicUploadLink } from '@/lib/domain/upload-links/schema'

/** What a link that is over says to its holder; what was behind it stays there. */
export function ClosedLink({ link }: { link: ClosedUploadLink }) {
  return (
    <Callout tone="neutral" title={OVER[link.status]}>
      What you uploaded is safe. Ask the sender of the link for a new one if you have more to send.
    </Callout>
  )
}

const OVER: Record<ClosedUploadLink['status'], string> = {
  active: 'This link cannot be used now',
  deactivated: 'This link was switched off',
  expired: 'This link has expired',
  used_up: 'This link has been used up',
}

/** Why nothing can be uploaded here now, although the link is good. */
export function DeadLink({ link }: { link: PublicUploadLink }) {
  const { title, text } = reason(link)
  return (
    <Callout tone={link.batch.status === 'approved' ? 'pass' : 'neutral'} title={title}>
      {text}
    </Callout>
  )
}

function reason(link: PublicUploadLink) {
  if (link.project.status === 'on_hold')
    return {
      title: 'Paused, come back later',
      text: 'The project is on hold. Your link stays valid and works again when the project goes on.',
    }
  if (link.project.status !== 'active') return { title: 'This project is closed', text: 'It takes no more files.' }
  if (link.batch.status === 'in_review')
    return {
      title: 'Your files are being reviewed',
      text: 'Nothing can be added meanwhile. If something has to be fixed, this page will show what, and take new versions.',
    }
  if (link.batch.status === 'approved')
    return { title: 'Everything is approved', text: 'The delivery is complete. Thank you; nothing more is needed.' }
  return { title: 'This delivery takes no more files', text: 'Ask the sender of the link if you have more to send.' }
}
