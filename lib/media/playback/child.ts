import { serve } from '@/lib/sandbox/serve'
import { makeCopy } from './make-copy'
import type { CopierJobs } from './protocol'

/** The program that writes playback copies (protocol.ts). */
await serve<CopierJobs>({
  jobs: {
    async copy(request, report) {
      return makeCopy(request, report)
    },
  },
})
