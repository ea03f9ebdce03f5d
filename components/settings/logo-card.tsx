'use client'

import { useRef, useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { toast } from '@/lib/client/toast'
import { type Letterhead, LOGO_MAX_BYTES } from '@/lib/domain/settings/schema'
import type { Refusal } from './letterhead-form'

/** The logo, on the white paper it will be printed on. */
export function LogoCard({
  name,
  logo,
  save,
}: {
  name: string
  logo: Letterhead['logo']
  save: (form: FormData) => Promise<Refusal | null>
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isPending, start] = useTransition()
  const [refusal, setRefusal] = useState<string | null>(null)

  async function replace(file: File | null) {
    setRefusal(null)
    if (file && file.size > LOGO_MAX_BYTES) {
      setRefusal('A logo may have 1 MB. Export it smaller: 800 pixels across are plenty.')
      return
    }
    const form = new FormData()
    if (file) form.set('image', file)
    const refused = await save(form).catch(() => ({
      message: 'Greenroom could not be reached. Check your connection, then try again.',
      errors: [],
    }))
    if (refused) setRefusal(refused.errors[0]?.message ?? refused.message)
    else toast.success(file ? 'Logo replaced' : 'Logo removed')
  }

  return (
    <Card>
      <CardHeader
        title="Logo"
        description="Without one, the organisation’s name stands in its place."
        actions={
          logo && (
            <Button size="sm" loading={isPending} onClick={() => start(() => replace(null))}>
              Remove
            </Button>
          )
        }
      />
      <CardBody className="flex flex-col gap-4">
        {logo && (
          <div className="flex min-h-28 items-center rounded-lg border border-line bg-white px-6 py-5">
            {/* biome-ignore lint/performance/noImgElement: a few kilobytes that are in the page already */}
            <img
              src={`data:image/png;base64,${logo.png}`}
              alt={name ? `Logo of ${name}` : 'Logo'}
              width={logo.width}
              height={logo.height}
              className="h-auto max-h-16 w-auto max-w-64 object-contain"
            />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button loading={isPending} onClick={() => input.current?.click()}>
            {logo ? 'Choose another image' : 'Choose an image'}
          </Button>
          <span className="text-xs text-ink-muted">PNG, JPEG, WebP or SVG, up to 1 MB. Empty edges are trimmed.</span>
          <input
            ref={input}
            type="file"
            aria-label="Logo"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              // The same file may be chosen again after it was changed.
              event.target.value = ''
              if (file) start(() => replace(file))
            }}
          />
        </div>
        {refusal && <Callout tone="fail">{refusal}</Callout>}
      </CardBody>
    </Card>
  )
}
