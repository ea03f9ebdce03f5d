'use client'

import { FileUp } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { Button } from '@/components/ui/button'
import type { NewFile } from '@/lib/client/uploader/queue'
import type { UploadItem } from '@/lib/client/uploader/upload-item'
import type { Uploader } from '@/lib/client/uploader/use-uploader'
import { useLoaded } from '@/lib/client/use-loaded'
import { extensionOf } from '@/lib/domain/files/media-types'
import type { ExpectedFile, PublicUploadLink, RejectedFileList } from '@/lib/domain/upload-links/schema'
import { LABELS } from '@/lib/vocabulary'

/** As many are shown at first, and by each wish for more. */
const SHOWN = 50

/** With fewer, what all are sent by is in sight. */
const LONG = 4

const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

/** The newest upload of each name; one that was accepted stays. */
function uploadsByName(items: readonly UploadItem[]): Map<string, UploadItem> {
  const uploads = new Map<string, UploadItem>()
  for (const item of items) {
    const key = keyOf(item.file.name)
    if (uploads.get(key)?.state !== 'stored') uploads.set(key, item)
  }
  return uploads
}

/**
 * What was awaited when the page was opened and still is, or was received since, then what is new: nothing moves away from
 * under the hand that chooses the next file.
 */
function inPlace(first: ExpectedFile[], awaited: ExpectedFile[], isReceived: (file: ExpectedFile) => boolean) {
  const names = new Set(awaited.map(({ name }) => name))
  const known = new Set(first.map(({ name }) => name))
  return [
    ...first.filter((file) => names.has(file.name) || isReceived(file)),
    ...awaited.filter(({ name }) => !known.has(name)),
  ]
}

/** What is awaited, one place for each: rejected files with what to fix, or what is missing of the list. */
export function ExpectedFiles({
  link,
  token,
  uploader,
  add,
  allAtOnce,
  onAccepted,
}: {
  link: PublicUploadLink
  token: string
  uploader: Uploader
  add: (files: readonly NewFile[]) => void
  /** The identifier of the place that takes files of any of these names. */
  allAtOnce: string
  /** A repaired copy was taken. */
  onAccepted: () => void
}) {
  const isResupply = link.batch.status === 'awaiting_resupply'
  const awaited = link.expected_files ?? []
  const [shown, setShown] = useState(SHOWN)
  const [more, setMore] = useState<RejectedFileList | null>(null)
  const cursor = more ? more.next_cursor : link.rejected_next_cursor
  const allRejected = [...(link.rejected_files ?? []), ...(more?.rejected_files ?? [])]
  const details = useLoaded(() => import('./rejected-file'), (link.rejected_files?.length ?? 0) > 0)
  const paging = useLoaded(() => import('./more-rejected'), link.rejected_next_cursor !== null)
  const uploads = useMemo(() => uploadsByName(uploader.items), [uploader.items])
  // Under another name than the suggested one, where the rules take that for the same file.
  const [sentAs, setSentAs] = useState<ReadonlyMap<string, string>>(new Map())
  const uploadOf = ({ name, suggested_name }: ExpectedFile) =>
    uploads.get(keyOf(sentAs.get(name) ?? suggested_name)) ??
    uploads.get(keyOf(suggested_name)) ??
    uploads.get(keyOf(name))
  const [first] = useState(awaited)
  const files = inPlace(first, awaited, (file) => uploadOf(file)?.state === 'stored')
  const rows = useLoaded(() => import('./upload-rows'), uploads.size > 0)
  const list = useRef<HTMLUListElement>(null)
  // The button that asked for more goes when it is the last time, and the focus with it.
  useEffect(() => {
    if (shown > SHOWN) list.current?.children[shown - SHOWN]?.querySelector('button')?.focus()
  }, [shown])
  const validate = useLoaded(() => import('@/lib/client/uploader/validate'), awaited.length > 0)
  const nameFor = (expected: ExpectedFile, chosen: string) =>
    validate ? validate.nameForExpected(validate.expectationsOfLink(link), expected, chosen) : expected.suggested_name
  if (awaited.length === 0) {
    const held = link.manifest
      ? link.manifest.expected === 1
        ? ' The only file of the list is here.'
        : ` All ${link.manifest.expected} files of the list are here.`
      : ''
    return <p className="text-base text-ink-muted">Everything that was expected has arrived.{held}</p>
  }
  const showMore = `Show ${Math.min(SHOWN, files.length - shown)} more of ${files.length}`
  return (
    <div>
      <h2 className="text-xl font-semibold">
        {isResupply
          ? `Please send ${awaited.length === 1 ? 'a new version' : `${awaited.length} new versions`}`
          : 'Still expected'}
      </h2>
      <p className="mt-1 mb-3 text-base text-ink-muted">
        {isResupply
          ? 'Send each under the name given here. Everything else is approved and stays as it is.'
          : link.manifest
            ? `${link.manifest.received} of ${link.manifest.expected} ${link.manifest.received === 1 ? 'has' : 'have'} arrived. Send the others under these names.`
            : 'Send them under these names.'}
        {files.length > LONG && (
          <>
            {' '}
            <a href={`#${allAtOnce}`} className="link">
              Send several at once
            </a>
          </>
        )}
      </p>
      <ul ref={list} className="divide-y divide-line rounded-xl border border-line bg-surface">
        {files.slice(0, shown).map((file) => {
          const rejected = allRejected.find(({ name }) => name === file.name)
          const upload = uploadOf(file)
          return (
            <li key={file.name} className="flex flex-col gap-3 px-4 py-4">
              <div className="min-w-0">
                <p className="text-base font-medium wrap-anywhere">
                  <FileName name={file.name} />
                </p>
                {rejected?.code && (
                  <p className="text-sm font-medium text-fail-ink">{LABELS.rejectionReason[rejected.code]}</p>
                )}
                {file.reason && (
                  <p className="text-sm text-ink-muted wrap-anywhere whitespace-pre-wrap">{file.reason}</p>
                )}
              </div>
              {upload?.state === 'stored' ? (
                <span className="text-sm text-pass-ink">Received</span>
              ) : (
                <>
                  <Place
                    file={file}
                    nameFor={(chosen) => nameFor(file, chosen)}
                    add={(own) => {
                      setSentAs((before) => new Map(before).set(file.name, own.name))
                      add([{ file: own }])
                    }}
                  />
                  {upload && rows && <rows.UploadProgress item={upload} retry={uploader.retry} />}
                </>
              )}
              {rejected && details && <details.RejectedFile file={rejected} token={token} onAccepted={onAccepted} />}
            </li>
          )
        })}
      </ul>
      {files.length > shown &&
        (cursor && paging ? (
          <paging.MoreRejected
            token={token}
            cursor={cursor}
            onMore={({ rejected_files, next_cursor }) => {
              setMore({ rejected_files: [...(more?.rejected_files ?? []), ...rejected_files], next_cursor })
              setShown(shown + SHOWN)
            }}
          >
            {showMore}
          </paging.MoreRejected>
        ) : (
          <Button
            variant="secondary"
            className="mt-3"
            loading={cursor !== null}
            onClick={() => setShown(shown + SHOWN)}
          >
            {showMore}
          </Button>
        ))}
    </div>
  )
}

/** Where the file for one expected file is chosen: says under which name it is taken, and gives it that name. */
function Place({
  file,
  nameFor,
  add,
}: {
  file: ExpectedFile
  nameFor: (chosen: string) => string
  add: (own: File) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const { suggested_name: name } = file
  const choose = (own: File) => {
    if (nameFor(own.name) !== own.name) return setChosen(own)
    setChosen(null)
    add(own)
  }
  const sendRenamed = (own: File) => {
    setChosen(null)
    add(new File([own], name, { type: own.type, lastModified: own.lastModified }))
  }
  const isOtherKind = chosen !== null && extensionOf(chosen.name) !== extensionOf(name)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 text-sm text-ink-muted">
          {name === file.name ? (
            'Send it under the same name.'
          ) : (
            <>
              Send it as <span className="font-mono text-ink wrap-anywhere">{name}</span>
            </>
          )}
        </p>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={`File for ${file.name}`}
          onChange={(event) => {
            const [own] = event.currentTarget.files ?? []
            if (own) choose(own)
            event.currentTarget.value = ''
          }}
        />
        <Button size="sm" onClick={() => picker.current?.click()} aria-label={`Choose the file for ${file.name}`}>
          <FileUp />
          Choose
        </Button>
      </div>
      {chosen && (
        <div role="status" className="flex flex-wrap items-center gap-2 rounded-lg bg-sunken px-3 py-2 text-sm">
          <p className="min-w-40 flex-1 wrap-anywhere">
            {isOtherKind
              ? `“${chosen.name}” is no .${extensionOf(name)} file. Export it as one, then choose it here.`
              : `“${chosen.name}” has another name. Send it under the name expected here?`}
          </p>
          {!isOtherKind && (
            <Button
              size="sm"
              variant="soft"
              className="h-auto min-h-7 max-w-full py-1 text-left whitespace-normal pointer-coarse:h-auto pointer-coarse:min-h-9"
              onClick={() => sendRenamed(chosen)}
            >
              <span className="min-w-0">
                Send as <span className="font-mono wrap-anywhere">{name}</span>
              </span>
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => picker.current?.click()}>
            Choose another
          </Button>
        </div>
      )}
    </div>
  )
}
