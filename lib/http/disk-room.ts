import { roomAt } from '@/lib/adapters/blob-store/room'
import { env } from '@/lib/env'

/** The room on the disk of DATA_DIR, on which uploads are staged wherever they are stored. */
export const diskRoom = () => roomAt(env.DATA_DIR)
