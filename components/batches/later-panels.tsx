'use client'

import dynamic from 'next/dynamic'

/** What stands beside and below the files of a batch, with its forms: its code comes after that of the files. */
export const LinksPanel = dynamic(
  () => import('@/components/upload-links/links-panel').then((module) => module.LinksPanel),
  { loading: () => null },
)
export const StagesPanel = dynamic(
  () => import('@/components/review-stages/stages-panel').then((module) => module.StagesPanel),
  { loading: () => null },
)
export const ReviewLinksPanel = dynamic(
  () => import('@/components/review-links/review-links-panel').then((module) => module.ReviewLinksPanel),
  { loading: () => null },
)
export const ShareLinksPanel = dynamic(
  () => import('@/components/share-links/share-links-panel').then((module) => module.ShareLinksPanel),
  { loading: () => null },
)
export const ActivityPanel = dynamic(() => import('./activity-panel').then((module) => module.ActivityPanel), {
  loading: () => null,
})
export const ManifestPanel = dynamic(() => import('./manifest-panel').then((module) => module.ManifestPanel), {
  loading: () => null,
})
