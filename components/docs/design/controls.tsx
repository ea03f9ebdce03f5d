'use client'

import { Download, FolderPlus, MoreHorizontal, Pencil, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Checkbox, CheckboxBox } from '@/components/ui/checkbox'
import { Combobox } from '@/components/ui/combobox'
import { CopyButton } from '@/components/ui/copy-button'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field, FieldGroup } from '@/components/ui/field'
import { FileDrop } from '@/components/ui/file-drop'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { RadioGroup } from '@/components/ui/radio-group'
import { SearchInput } from '@/components/ui/search-input'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'
import { Group, Sample } from './sample'

const VARIANTS = ['primary', 'secondary', 'ghost', 'soft', 'danger', 'danger-ghost', 'link'] as const
const SIZES = ['sm', 'md', 'lg'] as const
const PEOPLE = [
  { value: 'clara', label: 'Clara Lindt', description: 'Coordinator' },
  { value: 'omar', label: 'Omar Haddad', description: 'Operator' },
] as const
const WIDTHS = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'wide', label: 'Wide' },
] as const

const PROBLEMS = [{ path: 'address', message: 'https://exmaple is not an address.' }]

/** What is pressed. */
export function Buttons() {
  return (
    <Group id="buttons" title="Buttons">
      <Sample name="Button">
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
      </Sample>
      <Sample name="Button, sizes">
        {SIZES.map((size) => (
          <Button key={size} size={size}>
            <FolderPlus />
            {size}
          </Button>
        ))}
      </Sample>
      <Sample name="Button, states">
        <Button loading>Saving</Button>
        <Button variant="primary" loading>
          Saving
        </Button>
        <Button disabled>Not possible</Button>
        <Button variant="primary" disabled>
          Not possible
        </Button>
      </Sample>
      <Sample name="IconButton">
        <IconButton label="Edit" icon={<Pencil />} shortcut="e" />
        <IconButton label="More" icon={<MoreHorizontal />} variant="secondary" />
        <IconButton label="Delete" icon={<Trash2 />} variant="danger-ghost" />
        <IconButton label="Refreshing" icon={<Search />} loading />
      </Sample>
      <Sample name="LinkButton, AnchorButton, CopyButton">
        <LinkButton href="/docs/design">Open</LinkButton>
        <AnchorButton href="/api/openapi.json" download>
          <Download />
          Download
        </AnchorButton>
        <CopyButton text="HALDEN_GLOW_Hero_300x250_v1.jpg" showLabel />
      </Sample>
    </Group>
  )
}

/** What is filled in. */
export function Fields() {
  const [person, setPerson] = useState<string | null>('clara')
  const [width, setWidth] = useState<'narrow' | 'wide'>('narrow')
  const [isOn, setOn] = useState(true)
  // It takes the focus, so it is not there from the start.
  const [attempt, setAttempt] = useState(0)
  return (
    <Group id="fields" title="Fields">
      <Sample name="Input, Textarea" stacked>
        <Field label="Name" name="name" hint="Shown to the agency.">
          <Input defaultValue="Spring banners" />
        </Field>
        <Field label="Address" name="address" error="https://exmaple is not an address.">
          <Input defaultValue="https://exmaple" leading={<Search />} />
        </Field>
        <Field label="Note" name="note" optional>
          <Textarea rows={2} />
        </Field>
        <Field label="Fixed" name="fixed" disabled hint="It cannot be changed once files arrived.">
          <Input defaultValue="{agency}_{campaign}" />
        </Field>
      </Sample>
      <Sample name="SearchInput">
        <SearchInput label="Search files" leading={<Search />} onValueChange={() => {}} />
      </Sample>
      <Sample name="Select, Combobox" stacked>
        <Field label="Width" name="width">
          <Select options={WIDTHS} defaultValue="narrow" />
        </Field>
        <Field label="Coordinator" name="coordinator">
          <Combobox options={PEOPLE} value={person} onValueChange={setPerson} clearable />
        </Field>
      </Sample>
      <Sample name="Checkbox, RadioGroup, Switch" stacked>
        <FieldGroup legend="Events">
          <Checkbox label="A file arrives" defaultChecked />
          <Checkbox label="A batch is approved" description="By its operator, and by all stages." />
          <Checkbox label="Not for your role" disabled />
        </FieldGroup>
        <CheckboxBox aria-label="Select the row" indeterminate />
        <FieldGroup legend="Who may open it">
          <RadioGroup
            options={[
              { value: 'team', label: 'The team', description: 'Members of the project.' },
              { value: 'all', label: 'Everybody with the link' },
            ]}
            defaultValue="team"
          />
        </FieldGroup>
        <Switch label="Mail me" description="Once an hour at most." checked={isOn} onCheckedChange={setOn} />
      </Sample>
      <Sample name="SegmentedControl">
        <SegmentedControl label="Width" options={WIDTHS} value={width} onValueChange={setWidth} />
      </Sample>
      <Sample name="ErrorSummary" stacked>
        <Button className="self-start" onClick={() => setAttempt(attempt + 1)}>
          Try to save
        </Button>
        <ErrorSummary errors={attempt > 0 ? PROBLEMS : []} attempt={attempt} />
      </Sample>
      <Sample name="FileDrop" stacked>
        <FileDrop size="md" hint="JPG, PNG or MP4, up to 2 GB." onFiles={() => {}} />
      </Sample>
    </Group>
  )
}
