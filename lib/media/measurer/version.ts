/**
 * The code that measures, as a hash over it and its decoders (version.test.ts says which, and what to write here after a
 * change). What another version measured is not used again.
 */
export const MEASURE_VERSION = 'f99aa2552c9e771a'
