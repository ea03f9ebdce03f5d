/** Path and query of an address of ours: images, players and downloads stay on the origin the page came from. */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
