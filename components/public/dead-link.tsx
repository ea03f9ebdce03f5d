import { Callout } from '@/components/ui/callout'
import { DateTime } from '@/components/ui/relative-time'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'

/** Why nothing can be uploaded here now, and what to do about it. */
export function DeadLink({ link }: { link: PublicUploadLink }) {
  const ask = `Ask ${link.contact.name || 'whoever sent it to you'} for a new one if you have more to send.`
  const { title, text } = reason(link, ask)
  return (
    <Callout tone={link.batch.status === 'approved' ? 'pass' : 'neutral'} title={title}>
      {text}
    </Callout>
  )
}

function reason(link: PublicUploadLink, ask: string) {
  if (link.status === 'deactivated')
    return { title: 'This link was switched off', text: `What you uploaded is safe. ${ask}` }
  if (link.status === 'expired') {
    return {
      title: 'This link has expired',
      text: (
        <>
          It worked until {link.expires_at && <DateTime value={link.expires_at} />}. {ask}
        </>
      ),
    }
  }
  if (link.project.status === 'on_hold')
    return {
      title: 'Paused, come back later',
      text: 'The project is on hold. Your link stays valid and works again when the project goes on.',
    }
  if (link.project.status !== 'active') return { title: 'This project is closed', text: 'It takes no more files.' }
  if (link.batch.status === 'in_review')
    return {
      title: 'Your files are being reviewed',
      text: 'Nothing can be added meanwhile. If something has to be mended, this page will show what, and take new versions.',
    }
  if (link.batch.status === 'approved')
    return { title: 'Everything is approved', text: 'The delivery is complete. Thank you; nothing more is needed.' }
  return { title: 'This delivery was cancelled', text: `It takes no more files. ${ask}` }
}
