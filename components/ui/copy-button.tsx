'use client'

import type { ButtonStyle } from './button-styles'
import { CopyTextButton, useCopy } from './copy-text-button'
import { IconButton } from './icon-button'

type Props = { text: string; label?: string } & ButtonStyle

/** Copies `text`, shows a check for two seconds and says so. An icon, or a button with words when `showLabel` is set. */
export function CopyButton({ showLabel = false, ...props }: Props & { showLabel?: boolean }) {
  return showLabel ? <CopyTextButton {...props} /> : <CopyIconButton {...props} />
}

function CopyIconButton({ text, label = 'Copy', variant = 'ghost', size = 'sm' }: Props) {
  const { isCopied, copy, icon } = useCopy(text)
  return <IconButton label={isCopied ? 'Copied' : label} icon={icon} size={size} variant={variant} onClick={copy} />
}
