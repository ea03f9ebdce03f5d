'use client'

import { Layers } from 'lucide-react'
import type { PdfState } from '@/components/media/use-pdf'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { Spinner } from '@/components/ui/spinner'

/** As many rows as a list draws at once. */
const MOST_LISTED = 300

/** The order of layers as pdf.js has it: ids, and named groups of them. */
type Order = readonly (string | { name: string | null; order: Order })[]

type Row =
  | { id: string; depth: number; label: null }
  // The name of a group; null for layers that the order of the document leaves out.
  | { id: null; depth: number; label: string | null }

const rowsOf = (order: Order, depth = 0): Row[] =>
  order.flatMap((each): Row[] =>
    typeof each === 'string'
      ? [{ id: each, depth, label: null }]
      : [{ id: null, depth, label: each.name }, ...rowsOf(each.order, depth + 1)],
  )

/** Which layers (optional content, ISO 32000-2, 8.11) of a PDF are shown. */
export function PdfLayers({ pdf }: { pdf: PdfState }) {
  return (
    <Popover
      title="Layers"
      onOpenChange={(isOpen) => isOpen && pdf.want()}
      trigger={
        <IconButton
          label={pdf.isChanged ? 'Layers, changed' : 'Layers'}
          icon={<Layers />}
          className={pdf.isChanged ? 'bg-accent-soft text-accent-ink' : undefined}
        />
      }
    >
      <LayerList pdf={pdf} />
    </Popover>
  )
}

function LayerList({ pdf }: { pdf: PdfState }) {
  if (pdf.failure !== null) return <p className="text-sm text-ink-muted">The layers could not be read. {pdf.failure}</p>
  if (!pdf.opened)
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner /> Reading the layers
      </p>
    )
  const rows = rowsOf((pdf.opened.layers.getOrder() as Order | null) ?? [])
  if (rows.length === 0) return <p className="text-sm text-ink-muted">The file lists no layers.</p>
  return (
    <>
      <ul className="grid gap-1.5">
        {rows.slice(0, MOST_LISTED).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a layer may be listed more than once
          <li key={at} style={{ paddingLeft: `${Math.min(row.depth, 6) * 1.25}rem` }}>
            {row.id === null ? <GroupName name={row.label} /> : <LayerBox pdf={pdf} id={row.id} />}
          </li>
        ))}
      </ul>
      {rows.length > MOST_LISTED && (
        <p className="mt-2 text-xs text-ink-muted">And {rows.length - MOST_LISTED} more, which are not listed here.</p>
      )}
      <div className="mt-3 border-t border-line pt-3">
        <Button size="sm" disabled={!pdf.isChanged} onClick={() => void pdf.restore()}>
          As in the file
        </Button>
      </div>
    </>
  )
}

const GroupName = ({ name }: { name: string | null }) => (
  <p className="pt-1 text-xs font-semibold text-ink-muted">
    {name === null ? 'Further layers' : <LayerName name={name} />}
  </p>
)

function LayerBox({ pdf, id }: { pdf: PdfState; id: string }) {
  const group = pdf.opened?.layers.getGroup(id)
  if (!group) return null
  return (
    <Checkbox
      label={<LayerName name={group.name ?? ''} />}
      description={noteOf(group)}
      checked={group.visible}
      onCheckedChange={(isShown) => pdf.show(id, isShown)}
    />
  )
}

/** As it is; one that is written from right to left, or is very long, changes nothing beside it. */
const LayerName = ({ name }: { name: string }) => (
  <bdi className="line-clamp-3 [overflow-wrap:anywhere]">{name.trim() || 'Layer without a name'}</bdi>
)

type Group = {
  usage: { print: { printState: string } | null; view: { viewState: string } | null }
  rbGroups: unknown[]
}

/** What else the file says of a layer: whether it is printed, where that is not as it is viewed, and whether it excludes others. */
function noteOf({ usage, rbGroups }: Group): string | undefined {
  const [isPrinted, isViewed] = [usage.print?.printState !== 'OFF', usage.view?.viewState !== 'OFF']
  const words = [
    ...(isPrinted === isViewed ? [] : [isPrinted ? 'Printed, not viewed' : 'Viewed, not printed']),
    ...(rbGroups.length > 0 ? ['Only one of its group is shown'] : []),
  ]
  return words.length > 0 ? words.join(' · ') : undefined
}
