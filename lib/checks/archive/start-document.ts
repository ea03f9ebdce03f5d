import type { ArchiveFacts } from '../facts'

/** The HTML file an ad server would open: index.html, or the only one there is. */
export function startDocument({ documents }: ArchiveFacts): { path: string; text: string } | null {
  return documents.find((one) => one.path.toLowerCase() === 'index.html') ?? documents[0] ?? null
}
