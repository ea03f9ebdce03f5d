/** node-av counts on a function that Node 20 lacks, and without it yields no frames and no error. Import this first. */
if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', {
    configurable: true,
    writable: true,
    value: function withResolvers(this: PromiseConstructor) {
      const out: Partial<Record<'promise' | 'resolve' | 'reject', unknown>> = {}
      out.promise = new this((resolve, reject) => {
        out.resolve = resolve
        out.reject = reject
      })
      return out
    },
  })
}
