import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'

/** Whether files can come through the link now. */
export const isOpen = ({ project, batch }: PublicUploadLink) =>
  project.status === 'active' && (batch.status === 'open' || batch.status === 'awaiting_resupply')
