// By RFC 9110 section 15.5.6 a method that a resource does not have gets a 405 with `Allow`, and only the route knows what
// it allows. Next calls no route for a method that none can export: TRACE ends in a 500, PROPFIND in a 400.
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Hands a request with such a method on as a GET. Its own method, for lib/http/endpoint.ts to refuse; undefined for others. */
export function takeForeignMethod(req) {
  if (METHODS.includes(req.method)) return undefined
  const { method } = req
  req.method = 'GET'
  return method
}
