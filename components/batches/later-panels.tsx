'use client'

import dynamic from 'next/dynamic'

/** What stands beside and below the files of a batch, with its forms: its code comes after that of the files. */
export const LinksPanel = dynamic(() =>
  import('@/components/upload-links/links-panel').then((module) => module.LinksPanel),
)
export const StagesPanel = dynamic(() =>
  import('@/components/review-stages/stages-panel').then((module) => module.StagesPanel),
)
export const ReviewLinksPanel = dynamic(() =>
  import('@/components/review-links/review-links-panel').then((module) => module.ReviewLinksPanel),
)
export const ShareLinksPanel = dynamic(() =>
  import('@/components/share-links/share-links-panel').then((module) => module.ShareLinksPanel),
)
export const ActivityPanel = dynamic(() => import('./activity-panel').then((module) => module.ActivityPanel))
export const ManifestPanel = dynamic(() => import('./manifest-panel').then((module) => module.ManifestPanel))
