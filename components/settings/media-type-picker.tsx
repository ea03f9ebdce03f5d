'use client'

import { Checkbox } from '@/components/ui/checkbox'
import { MEDIA_TYPES } from '@/lib/domain/files/media-types'
import { LABELS, MEDIA_KINDS } from '@/lib/vocabulary'

/** The media types that are taken, by kind. The box of a kind takes or leaves all of it. */
export function MediaTypePicker({
  value,
  onChange,
}: {
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  // In the order of the table, whatever the order of the clicks.
  const choose = (isChosen: (mediaType: string) => boolean) =>
    onChange(MEDIA_TYPES.map(({ mediaType }) => mediaType).filter(isChosen))
  return (
    <div className="gap-x-8 sm:columns-2 lg:columns-3">
      {MEDIA_KINDS.map((kind) => {
        const types = MEDIA_TYPES.filter((type) => type.kind === kind)
        const chosen = types.filter(({ mediaType }) => value.includes(mediaType)).length
        return (
          <fieldset key={kind} className="mb-5 break-inside-avoid">
            <legend className="sr-only">{LABELS.mediaKind[kind]}</legend>
            <Checkbox
              label={<span className="font-medium">{LABELS.mediaKind[kind]}</span>}
              checked={chosen === types.length}
              indeterminate={chosen > 0 && chosen < types.length}
              onCheckedChange={(isOn) =>
                choose((mediaType) =>
                  types.some((type) => type.mediaType === mediaType) ? isOn : value.includes(mediaType),
                )
              }
              className="mb-1 border-b border-line pb-1"
            />
            {types.map(({ mediaType, label, extensions }) => (
              <Checkbox
                key={mediaType}
                label={
                  <>
                    {label} <span className="text-xs text-ink-subtle">.{extensions[0]}</span>
                  </>
                }
                checked={value.includes(mediaType)}
                onCheckedChange={(isOn) => choose((each) => (each === mediaType ? isOn : value.includes(each)))}
              />
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}
