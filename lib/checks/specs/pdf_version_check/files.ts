import { write } from '../document-files'
import { bad, good, sharing } from '../files'

const stated = (version: string, catalogue = '') => write({ version, catalogue, pages: [{}] })

export const FILES = sharing({ thresholds: { min_version: 1.4, max_version: 1.6 } }, [
  good('1.4.pdf', stated('1.4')),
  good('1.6.pdf', stated('1.6')),
  good('raised.pdf', stated('1.3', '/Version /1.5')),
  // An earlier version in the catalogue does not lower that of the header (7.5.2).
  good('not-lowered.pdf', stated('1.5', '/Version /1.2')),
  bad('1.7.pdf', stated('1.7')),
  bad('2.0.pdf', stated('2.0')),
  bad('raised-too-far.pdf', stated('1.4', '/Version /1.7')),
  bad('1.3.pdf', stated('1.3')),
])
