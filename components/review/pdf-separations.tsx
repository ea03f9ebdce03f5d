'use client'

import { useQuery } from '@tanstack/react-query'
import { Blend } from 'lucide-react'
import { useState } from 'react'
import { pathOfFile } from '@/components/files/use-playback'
import type { PdfState } from '@/components/media/use-pdf'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { RadioGroup } from '@/components/ui/radio-group'
import { Spinner } from '@/components/ui/spinner'
import { api } from '@/lib/client/api'
import type { File } from '@/lib/domain/files/schema'
import type { PageSeparations } from '@/lib/domain/separations/schema'

/** As many plates as a list draws at once. */
const MOST_LISTED = 100
const ALL = 'all'

const NOTES: Readonly<Record<PageSeparations['notes'][number], string>> = {
  unconverted:
    'RGB and Lab objects are on no plate until they are converted to inks; plates show paper in their place.',
  profiled_cmyk: 'CMYK with a profile is shown as its values stand in the file, not converted.',
  blended_in_rgb:
    'Transparency of this page is blended in RGB; where inks are blended, the plates may differ from print.',
  blended_as_colours:
    'A blend mode of this page works on colours as a whole; where it is used, cyan, magenta and yellow may differ from print.',
}

/** Which plate of a page of a PDF is shown: one ink alone, in grey, or all. */
export function PdfSeparations({ file, page, pdf }: { file: File; page: number; pdf: PdfState }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title="Separations"
      onOpenChange={setOpen}
      trigger={
        <IconButton
          label={pdf.plate ? `Separations: ${pdf.plate.name}` : 'Separations'}
          icon={<Blend />}
          className={pdf.plate ? 'bg-accent-soft text-accent-ink' : undefined}
        />
      }
    >
      {isOpen && <PlateList file={file} page={page} pdf={pdf} />}
    </Popover>
  )
}

function PlateList({ file, page, pdf }: { file: File; page: number; pdf: PdfState }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['separations', file.id, page],
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/separations', {
        params: pathOfFile(file),
        query: { page },
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (isPending)
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner /> Reading the separations of page {page}
      </p>
    )
  const failure = error?.message ?? data?.failure
  if (!data || failure)
    return (
      <p className="text-sm text-ink-muted">
        Page {page} cannot be separated. {failure}
      </p>
    )
  if (data.plates.length === 0)
    return <p className="text-sm text-ink-muted">Page {page} has no separations: nothing is printed on it.</p>
  const listed = data.plates.slice(0, MOST_LISTED).map((plate, number) => ({ ...plate, number, name: nameOf(plate) }))
  const hasInks = data.plates.some(({ kind }) => kind !== 'unconverted')
  return (
    <div className="grid gap-3">
      {!hasInks && <p className="text-sm text-ink-muted">Page {page} has no separations: all on it is RGB or Lab.</p>}
      <RadioGroup
        aria-label={`Plates of page ${page}`}
        value={pdf.plate ? String(pdf.plate.number) : ALL}
        onValueChange={(value) => pdf.choosePlate(listed.find(({ number }) => String(number) === value) ?? null)}
        options={[
          { value: ALL, label: 'All, as colours' },
          ...listed.map(({ number, name, kind }) => ({
            value: String(number),
            label: <bdi className="line-clamp-3 [overflow-wrap:anywhere]">{name}</bdi>,
            description: kind === 'spot' ? 'Spot colour' : undefined,
          })),
        ]}
      />
      {data.plates.length > MOST_LISTED && (
        <p className="text-xs text-ink-muted">
          And {data.plates.length - MOST_LISTED} more, which are not listed here.
        </p>
      )}
      {pdf.plateFailure !== null && (
        <p role="alert" className="text-sm text-ink-muted">
          The plate cannot be shown. {pdf.plateFailure}
        </p>
      )}
      {pdf.plate && pdf.plate.document === null && pdf.failure === null && (
        <p role="status" className="flex items-center gap-2 text-xs text-ink-muted">
          <Spinner /> Drawing the plate; all are shown until then
        </p>
      )}
      {data.notes.map((note) => (
        <p key={note} className="text-xs text-ink-muted">
          {NOTES[note]}
        </p>
      ))}
      <p className="text-xs text-ink-muted">Black is all of the ink, white is none. Annotations are on no plate.</p>
    </div>
  )
}

const nameOf = ({ kind, name }: PageSeparations['plates'][number]) =>
  kind === 'unconverted' ? 'RGB and Lab objects' : name.trim() || 'Ink without a name'
