import type { FileRow } from '../files/present'
import type { Tx } from '../kernel/operation'
import { isShownByTiles } from '../tiles/find'
import type { ShareLinkInBatch } from './find'

/** Where what a link shares is reached. */
export const addressOf = (tx: Tx, { link }: Pick<ShareLinkInBatch, 'link'>) =>
  `${tx.ports.baseUrl}/api/public/share-links/${tx.ports.secrets.decrypt(link.tokenEncrypted)}`

/** Whether every pixel of a large image is shown: only where it may be downloaded, as they are its untouched pixels. */
export const showsTiles = ({ mayDownload }: ShareLinkInBatch['link'], file: FileRow): boolean =>
  mayDownload && isShownByTiles(file)
