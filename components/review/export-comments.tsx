'use client'

import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Menu, MenuDownload, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'

const FORMATS = {
  time: [
    ['edl', 'EDL (Resolve, Premiere, Avid)'],
    ['fcpxml', 'FCPXML (Final Cut, Resolve)'],
    ['csv', 'CSV (Premiere)'],
    ['avid', 'Markers for Avid'],
    ['json', 'JSON'],
  ],
  document: [
    ['pdf', 'PDF with the comments in it'],
    ['xfdf', 'XFDF (Acrobat)'],
    ['json', 'JSON'],
  ],
  other: [['json', 'JSON']],
} as const

/** The comments on a file as a file of the tool it was made with. */
export function ExportComments({ file }: { file: File }) {
  const [internal, setInternal] = useState<'exclude' | 'include'>('exclude')
  const { kind } = file.media
  const formats = FORMATS[kind === 'video' || kind === 'audio' ? 'time' : kind === 'document' ? 'document' : 'other']
  const address = ownPath(file.download_url).replace(/\/download$/, '/comments/export')
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost">
          <FileDown />
          Export comments
        </Button>
      }
    >
      {formats.map(([format, label]) => (
        <MenuDownload key={format} href={`${address}?format=${format}&internal=${internal}`}>
          {label}
        </MenuDownload>
      ))}
      <MenuSeparator />
      <MenuRadioGroup
        label="Comments for the team only"
        value={internal}
        onValueChange={setInternal}
        options={[
          { value: 'exclude', label: 'Left out' },
          { value: 'include', label: 'Included' },
        ]}
      />
    </Menu>
  )
}
