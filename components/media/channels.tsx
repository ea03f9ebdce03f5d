'use client'

import { Layers } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuRadioGroup } from '@/components/ui/menu'

const CHANNELS = ['all', 'red', 'green', 'blue', 'alpha'] as const
export type Channel = (typeof CHANNELS)[number]

const LABELS: Readonly<Record<Channel, string>> = {
  all: 'All channels',
  red: 'Red',
  green: 'Green',
  blue: 'Blue',
  alpha: 'Alpha',
}

/** What of a pixel (red, green, blue, alpha, 1) is shown as grey, opaque. */
const ROWS: Readonly<Record<Exclude<Channel, 'all'>, string>> = {
  red: '1 0 0 0 0',
  green: '0 1 0 0 0',
  blue: '0 0 1 0 0',
  alpha: '0 0 0 1 0',
}

/** The filter of CSS that shows one channel, where `ChannelFilter` is on the page. */
export const filterOf = (channel: Channel) => (channel === 'all' ? undefined : 'url(#channel-filter)')

export function ChannelFilter({ channel }: { channel: Channel }) {
  if (channel === 'all') return null
  const row = ROWS[channel]
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <filter id="channel-filter" colorInterpolationFilters="sRGB" x="0" y="0" width="1" height="1">
        <feColorMatrix type="matrix" values={`${row} ${row} ${row} 0 0 0 0 1`} />
      </filter>
    </svg>
  )
}

/** Which channels of an image are shown, as they are in sRGB. */
export function ChannelChoice({
  channel,
  setChannel,
  hasAlpha,
}: {
  channel: Channel
  setChannel: (channel: Channel) => void
  hasAlpha: boolean
}) {
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost">
          <Layers />
          {LABELS[channel]}
        </Button>
      }
    >
      <MenuRadioGroup
        label="Channels, as shown"
        value={channel}
        onValueChange={setChannel}
        options={CHANNELS.filter((each) => each !== 'alpha' || hasAlpha).map((value) => ({
          value,
          label: LABELS[value],
        }))}
      />
    </Menu>
  )
}
