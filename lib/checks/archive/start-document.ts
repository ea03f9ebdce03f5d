import type { ArchiveFacts } from '@/lib/media/facts'
import type { BannerFacts, BannerRequest } from '@/lib/media/measurements'

/** The HTML file an ad server would open: index.html, or the only one there is. */
export function startDocument({ documents }: ArchiveFacts): { path: string; text: string } | null {
  return documents.find((one) => one.path.toLowerCase() === 'index.html') ?? documents[0] ?? null
}

/** Why an archive has nothing to run, or null: it is an ad. */
export function notAnAd(media: ArchiveFacts): string | null {
  return startDocument(media) ? null : 'The archive holds no HTML file to start from, so it is not an HTML5 ad.'
}

/** Cut here, a document may hold more (facts.ts). */
const READ_CHARACTERS = 200_000
const SCRIPT = /<script\b|\son[a-z]+\s*=|javascript:|<(?:iframe|object|embed)\b/i

/** Whether the texts that were read hold every script of the ad that is not of another server. */
export function isScriptRead({ documents, entries, entryCount }: ArchiveFacts): boolean {
  const isRead = (path: string) => documents.some((one) => one.path === path)
  return (
    entries.length >= entryCount &&
    !entries.some(({ path }) => /\.m?js$/i.test(path) || (/\.x?html?$/i.test(path) && !isRead(path))) &&
    !documents.some(({ text }) => text.length >= READ_CHARACTERS)
  )
}

/** Whether anything in the ad can run, as far as its files say: false only where no file holds a script. */
export function mayRunScripts(media: ArchiveFacts): boolean {
  return !isScriptRead(media) || media.documents.some(({ text }) => SCRIPT.test(text))
}

/** What gives names, addresses and code at run time, so that they do not stand in the text. */
export const BUILT =
  /\b(?:eval|Function|atob|import|fromCharCode)\s*\(|\bdocument\s*\.\s*write|\b(?:window|self|globalThis|this)\s*\[|\bObject\s*\.\s*(?:assign|defineProperty)\b/

/** The page without what is commented out: browsers skip that. */
export function withoutComments(text: string): string {
  let rest = ''
  for (let from = 0; ; ) {
    const start = text.indexOf('<!--', from)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return rest + text.slice(from)
    rest += text.slice(from, start)
    from = end + 3
  }
}

const META = /<meta\b[^<>]*>/gi
const NAME = /\bname\s*=\s*(?:["']\s*)?ad\.size\b/i
const SIZE = /width\s*=\s*(\d{1,5})\s*(?:px)?\s*[,;]\s*height\s*=\s*(\d{1,5})/i

/** The meta tag ad.size of a page, and what it says where that can be read. */
export function statedSize(text: string): { tag: string; size: { width: number; height: number } | null } | null {
  const tag = (withoutComments(text).match(META) ?? []).find((one) => NAME.test(one))
  if (!tag) return null
  const size = SIZE.exec(tag)
  return { tag, size: size ? { width: Number(size[1]), height: Number(size[2]) } : null }
}

/**
 * Scripts and styles of other servers were not loaded when the ad ran here. What it did without them says less about it.
 */
export function lacksLibraries({ requests }: BannerFacts): boolean {
  return requests.some(({ status, kind }) => status === 'outside' && /^(Script|Stylesheet)$/.test(kind))
}

export const WITHOUT_LIBRARIES = ' What other servers serve was not loaded here, which may be the reason.'

/** One that moves, or has anything planned, is watched for longer (protocol.ts). */
const ENDS_EARLY_SECONDS = 30

/** Whether nothing of an ad was planned or running any more after so long, by default when it was left. */
export function isOver({ motion, watchedSeconds }: BannerFacts, afterSeconds = ENDS_EARLY_SECONDS): boolean {
  return (motion?.plannedUntilSeconds ?? watchedSeconds) <= Math.min(afterSeconds, ENDS_EARLY_SECONDS)
}

/** Requests of one file are reported once. */
export function targetsOf(requests: readonly BannerRequest[]): string[] {
  return [...new Set(requests.map(({ target }) => target))]
}
