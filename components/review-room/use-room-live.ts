import { useLinkLive } from '@/lib/client/use-link-live'

export const roomKey = (token: string) => ['review-room', token]

/** Keeps the page of a review link current, and shows that the link ended as soon as it does. */
export const useRoomLive = (token: string, readFrom: string) =>
  useLinkLive(`/api/public/review-links/${encodeURIComponent(token)}/live`, roomKey(token), readFrom)
