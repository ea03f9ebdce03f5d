import { Files, ShieldCheck, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'

/** What lies over the stage on a narrow screen. */
export type Sheet = 'files' | 'details' | null

/** On a narrow screen: the ways to the rail and to the side panel. */
export function SheetBar({
  sheet,
  setSheet,
  undo,
}: {
  sheet: Sheet
  setSheet: (sheet: Sheet) => void
  /** Takes the last decision back, for reviewers. */
  undo: (() => void) | null
}) {
  return (
    <div className="grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
      <SheetButton
        icon={<Files />}
        label="Files"
        isOpen={sheet === 'files'}
        onClick={() => setSheet(sheet === 'files' ? null : 'files')}
      />
      <SheetButton
        icon={<ShieldCheck />}
        label="Findings"
        isOpen={sheet === 'details'}
        onClick={() => setSheet(sheet === 'details' ? null : 'details')}
      />
      {undo && <SheetButton icon={<Undo2 />} label="Undo" isOpen={false} onClick={undo} />}
    </div>
  )
}

function SheetButton({
  icon,
  label,
  isOpen,
  onClick,
}: {
  icon: ReactNode
  label: string
  isOpen: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={onClick}
      className="flex h-12 flex-col items-center justify-center gap-0.5 text-2xs font-medium text-ink-muted aria-pressed:text-accent-ink [&_svg]:size-4.5"
    >
      {icon}
      {label}
    </button>
  )
}
