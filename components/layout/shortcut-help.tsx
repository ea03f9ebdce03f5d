'use client'

import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Kbd } from '@/components/ui/kbd'
import { Switch } from '@/components/ui/switch'
import { type Shortcut, useRegisteredShortcuts, useShortcutsEnabled } from '@/lib/client/shortcuts'
import { useShell } from './shell-state'

type Listed = Pick<Shortcut, 'keys' | 'label' | 'group'>

const FIXED: readonly Listed[] = [{ keys: 'Ctrl K', label: 'Command palette (⌘ K on a Mac)', group: 'Everywhere' }]

/** What the keyboard can do here, and the switch that turns single keys off. */
export function ShortcutHelp() {
  const { isHelpOpen, setHelpOpen } = useShell()
  const registered = useRegisteredShortcuts()
  const [isEnabled, setEnabled] = useShortcutsEnabled()
  const all: readonly Listed[] = [...FIXED, ...registered]
  const groups = [...new Set(all.map((each) => each.group))]
  return (
    <Dialog title="Keyboard shortcuts" open={isHelpOpen} onOpenChange={setHelpOpen}>
      <DialogBody>
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-medium text-ink-subtle">{group}</h3>
            <dl>
              {all
                .filter((each) => each.group === group)
                .map((shortcut) => (
                  <div
                    key={shortcut.keys}
                    className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 text-sm last:border-b-0"
                  >
                    <dt>{shortcut.label}</dt>
                    <dd>
                      <Kbd keys={shortcut.keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <Switch
          label="Single-key shortcuts"
          description="Kept in this browser. Ctrl K always works."
          checked={isEnabled}
          onCheckedChange={(checked) => setEnabled(checked)}
        />
      </DialogBody>
    </Dialog>
  )
}
