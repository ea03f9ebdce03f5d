'use client'

import { useState } from 'react'
import { ApiProblem } from '@/lib/client/api'
import { attachFile } from '@/lib/client/attach-file'
import { formatBytes } from '@/lib/format'
import { LARGEST_ATTACHMENT, MOST_ATTACHMENTS } from '@/lib/vocabulary'

/** A file that was chosen; `fault`: why it could not be sent, as the server said it. */
export type Chosen = { key: string; file: File; fault: string | null }

/** What was chosen and not sent is there when the file is viewed again. */
const begun = new Map<string, readonly Chosen[]>()

/** Why a file cannot be attached at all; null where it can be tried. */
function faultOf({ name, size }: File): string | null {
  if (size === 0) return `“${name}” is empty.`
  if (size > LARGEST_ATTACHMENT)
    return `“${name}” has ${formatBytes(size)}; an attachment has up to ${formatBytes(LARGEST_ATTACHMENT)}.`
  return null
}

/**
 * Files for a comment that is being written. They are sent once the comment is there, so that nothing of its words is lost
 * with a file that is refused; those that were not taken stay, and are tried again or left out.
 *
 * @param keptAs what was chosen is kept under this name while another file is viewed
 */
export function useAttaching(keptAs?: string) {
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => (keptAs && begun.get(keptAs)) || [])
  const [refused, setRefused] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  /** Where they go, once the comment was sent without some of them. */
  const [left, setLeft] = useState<string | null>(null)
  const put = (next: readonly Chosen[]) => {
    if (keptAs && next.length > 0) begun.set(keptAs, next)
    else if (keptAs) begun.delete(keptAs)
    setChosen(next)
  }

  const add = (files: readonly File[]) => {
    const sound = files.filter((file) => faultOf(file) === null)
    const taken = sound.slice(0, MOST_ATTACHMENTS - chosen.length)
    setRefused([
      ...files.flatMap((file) => faultOf(file) ?? []),
      ...(taken.length < sound.length
        ? [`A comment carries at most ${MOST_ATTACHMENTS} files: ${sound.length - taken.length} left out.`]
        : []),
    ])
    put([...chosen, ...taken.map((file) => ({ key: crypto.randomUUID(), file, fault: null }))])
  }
  const remove = (key: string) => {
    setRefused([])
    put(chosen.filter((each) => each.key !== key))
  }
  const leaveOut = () => {
    setLeft(null)
    put([])
  }
  /** Sends all to the comment at this path, one after the other; true where all were taken. */
  const send = async (path: string): Promise<boolean> => {
    setRefused([])
    setSending(true)
    let kept: readonly Chosen[] = chosen
    for (const each of chosen) {
      const fault = await attachFile(path, each.file, each.key).then(
        () => null,
        (error: unknown) => (error instanceof ApiProblem ? error.detail : 'It could not be read. Choose it again.'),
      )
      kept =
        fault === null
          ? kept.filter(({ key }) => key !== each.key)
          : // Under another name, as a response of the same would only be repeated.
            kept.map((other) => (other.key === each.key ? { ...other, key: crypto.randomUUID(), fault } : other))
      put(kept)
    }
    setSending(false)
    setLeft(kept.length > 0 ? path : null)
    return kept.length === 0
  }
  return { chosen, refused, isSending, left, isFull: chosen.length >= MOST_ATTACHMENTS, add, remove, leaveOut, send }
}

export type Attaching = ReturnType<typeof useAttaching>
