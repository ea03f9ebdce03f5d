/**
 * The path that is asked for, in whichever form (RFC 9112, 3.2), as it can be decoded; null when it names nothing, of which
 * Next makes a plain 500.
 */
export function requestTarget(target) {
  if (target.startsWith('/')) return decodable(target)
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return null
  const { pathname, search } = new URL(target)
  return decodable(pathname + search)
}

/**
 * A percent sign that encodes nothing stands for itself. Where a part of the path is a parameter, Next responds by a plain
 * 500; like this it is an unknown name, and gets the 404 of its page or route.
 */
function decodable(url) {
  if (!url.includes('%')) return url
  const [pathname] = url.split('?', 1)
  try {
    decodeURIComponent(pathname)
    return url
  } catch {
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length)
  }
}
