'use client'

import { Copy, Monitor, Moon, Pencil, Sun, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Drawer } from '@/components/ui/drawer'
import { Menu, MenuCheckboxGroup, MenuItem, MenuLink, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu'
import { Popover } from '@/components/ui/popover'
import { Tabs } from '@/components/ui/tabs'
import { Tooltip } from '@/components/ui/tooltip'
import { toast } from '@/lib/client/toast'
import { Group, Sample } from './sample'

/** What opens over a page, and what changes within it. */
export function InFront() {
  const [scheme, setScheme] = useState('system')
  const [columns, setColumns] = useState(['size'])
  return (
    <Group id="in-front" title="In front">
      <Sample name="Menu">
        <Menu trigger={<Button>Actions</Button>}>
          <MenuItem icon={<Pencil />} shortcut="e">
            Edit
          </MenuItem>
          <MenuLink icon={<Copy />} href="/docs/errors">
            Errors
          </MenuLink>
          <MenuItem icon={<Trash2 />} tone="danger">
            Delete
          </MenuItem>
          <MenuSeparator />
          <MenuRadioGroup
            label="Colours"
            value={scheme}
            onValueChange={setScheme}
            options={[
              { value: 'light', label: 'Light', icon: <Sun /> },
              { value: 'dark', label: 'Dark', icon: <Moon /> },
              { value: 'system', label: 'As the system', icon: <Monitor /> },
            ]}
          />
          <MenuCheckboxGroup
            label="Columns"
            values={columns}
            onValuesChange={setColumns}
            options={[
              { value: 'size', label: 'Size' },
              { value: 'sender', label: 'Sender' },
            ]}
          />
        </Menu>
      </Sample>
      <Sample name="Dialog, ConfirmDialog, Drawer">
        <Dialog title="New link" description="For one batch." trigger={<Button>Dialog</Button>}>
          <DialogBody>Its fields stand here.</DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <DialogClose>
              <Button variant="primary">Create link</Button>
            </DialogClose>
          </DialogFooter>
        </Dialog>
        <ConfirmDialog
          title="Delete 3 files?"
          confirmLabel="Delete 3 files"
          tone="danger"
          trigger={<Button>ConfirmDialog</Button>}
          onConfirm={() => {}}
        >
          Their comments go with them.
        </ConfirmDialog>
        <Drawer title="Hero_300x250.jpg" trigger={<Button>Drawer</Button>}>
          <p className="p-4 text-sm">Details of one thing, beside the list it is in.</p>
        </Drawer>
      </Sample>
      <Sample name="Popover, Tooltip, toast">
        <Popover title="Who is waited for" trigger={<Button>Popover</Button>}>
          <p className="text-sm">The agency, since Monday.</p>
        </Popover>
        <Tooltip label="Opens the room" shortcut="r">
          <Button>Tooltip</Button>
        </Tooltip>
        <Button onClick={() => toast.success('Link created', { description: 'It works for 7 days.' })}>toast</Button>
      </Sample>
      <Sample name="Tabs" stacked>
        <Tabs
          label="A file"
          tabs={[
            { value: 'findings', label: 'Findings', count: 2, content: <p className="py-3 text-sm">Two findings.</p> },
            { value: 'comments', label: 'Comments', content: <p className="py-3 text-sm">No comments.</p> },
          ]}
        />
      </Sample>
    </Group>
  )
}
