'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { controlSize, controlStyles } from '@/components/ui/control-styles'
import { ApiProblem, api } from '@/lib/client/api'
import { formatCount } from '@/lib/format'

/** Opens a protected link; the page shows itself when the password is right. */
export function PasswordForm({
  token,
  call = 'POST /api/public/upload-links/{token}/unlock',
}: {
  token: string
  call?: `POST /api/public/${'upload' | 'review' | 'share'}-links/{token}/unlock`
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  async function unlock(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('password') as HTMLInputElement
    if (isPending) return
    if (field.value === '') {
      setProblem('Type the password you were given.')
      field.focus()
      return
    }
    setPending(true)
    setProblem(null)
    try {
      await api(call, { params: { token }, body: { password: field.value } })
      window.location.reload()
    } catch (error) {
      setPending(false)
      setProblem(error instanceof ApiProblem ? inWords(error) : 'Something went wrong in this browser. Try again.')
      field.focus()
    }
  }
  return (
    <form noValidate onSubmit={unlock} className="flex max-w-sm flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <label htmlFor="password" className="text-sm font-medium">
          Password
        </label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={problem ? 'password-problem' : undefined}
          className={cn(controlStyles, controlSize.md)}
        />
        <p id="password-problem" role="alert" className="text-sm text-fail-ink wrap-anywhere empty:hidden">
          {problem}
        </p>
      </div>
      <div>
        <Button type="submit" variant="primary" loading={isPending}>
          Open
        </Button>
      </div>
    </form>
  )
}

function inWords({ code, detail, errors, retryAfterSeconds }: ApiProblem) {
  if (code === 'rate_limited' && retryAfterSeconds !== null)
    return `Too many attempts. Wait ${formatCount(retryAfterSeconds, 'second')}, then try again.`
  return errors.find(({ path }) => path === 'password')?.message ?? detail
}
