import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { LogoMark } from '@/components/ui/logo'

/** Frame of the pages before the shell: sign in, choose a password. */
export function SignInFrame({
  title,
  description,
  footer,
  children,
}: {
  title: ReactNode
  description?: ReactNode
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid min-h-dvh bg-canvas lg:grid-cols-[minmax(26rem,2fr)_3fr]">
      <main className="flex flex-col px-6 py-8 sm:px-12">
        <div className="mx-auto my-auto w-full max-w-sm py-8">
          <LogoMark className="mb-6 size-10" />
          <h1 className="text-2xl font-semibold">{title}</h1>
          {description && <p className="mt-1 text-base text-ink-muted">{description}</p>}
          <div className="mt-7">{children}</div>
        </div>
        {footer && <footer className="mx-auto w-full max-w-sm text-xs text-ink-subtle">{footer}</footer>}
      </main>
      <Backdrop />
    </div>
  )
}

const SHEETS = [
  { ratio: 'aspect-4/3', place: 'top-[16%] left-[12%] w-[38%] -rotate-2', isFine: true },
  { ratio: 'aspect-video', place: 'top-[34%] left-[42%] w-[46%] rotate-1', isFine: true },
  { ratio: 'aspect-3/4', place: 'top-[52%] left-[20%] w-[24%] rotate-3', isFine: false },
] as const

/** Three files waiting for their entrance. Decoration. */
function Backdrop() {
  return (
    <div aria-hidden="true" className="relative overflow-hidden bg-[#0f3d2c] max-lg:hidden">
      <div className="absolute inset-0 bg-[radial-gradient(80rem_50rem_at_70%_-10%,#2c7a59_0%,transparent_60%)]" />
      {SHEETS.map((sheet) => (
        <div
          key={sheet.place}
          className={`absolute rounded-xl border border-white/10 bg-white/8 p-3 shadow-dialog backdrop-blur-sm ${sheet.place}`}
        >
          <div className={`rounded-md bg-linear-to-br from-white/18 to-white/4 ${sheet.ratio}`} />
          <div className="mt-3 flex items-center gap-2">
            {sheet.isFine ? (
              <CircleCheck className="size-4 text-[#6fe0ab]" />
            ) : (
              <TriangleAlert className="size-4 text-[#f3c969]" />
            )}
            <span className="h-2 w-2/5 rounded-full bg-white/25" />
            <span className="ml-auto h-2 w-1/6 rounded-full bg-white/15" />
          </div>
        </div>
      ))}
    </div>
  )
}
