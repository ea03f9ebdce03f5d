import type { Metadata } from 'next'
import { LinkButton } from '@/components/ui/link-button'
import { Logo } from '@/components/ui/logo'

export const metadata: Metadata = { title: 'Not found' }

/** Also what a user sees who may not see the thing: the two are not distinguished. */
export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="flex max-w-md flex-col items-center text-center">
        <Logo className="mb-8" />
        <h1 className="text-xl font-semibold">There is nothing at this address</h1>
        <p className="mt-1.5 text-base text-balance text-ink-muted">
          It was moved or removed, or you may not see it. If another user sent you the link, ask them whether it is
          still meant to work.
        </p>
        <LinkButton href="/" variant="primary" className="mt-6">
          Go to Greenroom
        </LinkButton>
      </div>
    </main>
  )
}
