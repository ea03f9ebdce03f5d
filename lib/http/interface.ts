import { z } from 'zod'
import { getAgencyAnalytics, getOverruledChecks } from '@/lib/domain/analytics/queries'
import { listAuditEvents, verifyAuditTrail } from '@/lib/domain/audit/queries'
import { listActivity } from '@/lib/domain/batches/activity'
import { assignBatches } from '@/lib/domain/batches/assign'
import { browseBatches } from '@/lib/domain/batches/browse'
import {
  cancelBatch,
  completeReview,
  createBatch,
  replaceManifest,
  submitBatch,
  updateBatch,
} from '@/lib/domain/batches/commands'
import { progressOf } from '@/lib/domain/batches/covers'
import { checkBatchTable, createBatchesOfTable } from '@/lib/domain/batches/from-table'
import { getManifest } from '@/lib/domain/batches/manifest'
import { listMyWork } from '@/lib/domain/batches/my-work'
import { getBatch, listBatches } from '@/lib/domain/batches/queries'
import {
  getCertificate,
  getPublicCertificate,
  issueCertificate,
  verifyFile,
} from '@/lib/domain/certificates/certificates'
import {
  decideClientEstimate,
  getClientEstimate,
  openClientEstimate,
  undoClientDecision,
} from '@/lib/domain/cost-estimates/client'
import {
  createEstimate,
  deleteEstimate,
  reviseEstimate,
  revokeEstimateLink,
  submitEstimate,
  updateEstimate,
} from '@/lib/domain/cost-estimates/commands'
import { approveEstimate, rejectEstimate } from '@/lib/domain/cost-estimates/decide'
import { getEstimate, listEstimateRevisions, listEstimates } from '@/lib/domain/cost-estimates/queries'
import { ExportEstimate } from '@/lib/domain/cost-estimates/schema'
import { openEstimate } from '@/lib/domain/cost-estimates/sheet'
import {
  cancelDelivery,
  getDelivery,
  getDeliveryReceipt,
  listDeliverableFiles,
  listDeliveries,
  listDeliveryChoices,
  previewDelivery,
  requestDelivery,
  retryDelivery,
} from '@/lib/domain/deliveries/operations'
import { ReceiptFormat } from '@/lib/domain/deliveries/schema'
import {
  createDeliveryTarget,
  deleteDeliveryTarget,
  getDeliveryTarget,
  listDeliveryTargets,
  testDeliveryTarget,
  updateDeliveryTarget,
} from '@/lib/domain/deliveries/targets'
import { importDestination, withdrawDestination } from '@/lib/domain/destinations/commands'
import { compareVersions, getDestination, listDestinations } from '@/lib/domain/destinations/queries'
import { byLink, byStaff } from '@/lib/domain/direct-uploads/operations'
import { createAgency, createCampaign, updateAgency, updateCampaign } from '@/lib/domain/directory/commands'
import { createResetLink, requestPasswordReset, resetPassword } from '@/lib/domain/directory/password-resets'
import {
  getAgency,
  getCampaign,
  getMe,
  getUser,
  listAgencies,
  listAgencyStorage,
  listCampaigns,
  listUsers,
} from '@/lib/domain/directory/queries'
import { getSetup, setUpService } from '@/lib/domain/directory/setup'
import { createToken, getToken, listTokens, revokeToken } from '@/lib/domain/directory/tokens'
import { changeOwnPassword, createUser, updateUser } from '@/lib/domain/directory/users'
import { eraseClient, previewClientErasure } from '@/lib/domain/erasure/estimates'
import { eraseGuest, eraseReceiver, previewGuestErasure, previewReceiverErasure } from '@/lib/domain/erasure/guests'
import { eraseUser, previewErasure } from '@/lib/domain/erasure/users'
import { openBanner, openBannerPart } from '@/lib/domain/files/banner'
import { checkNewFiles, deleteFile, receiveFile } from '@/lib/domain/files/commands'
import { moveFiles } from '@/lib/domain/files/move'
import {
  checkSelectedFiles,
  getFile,
  listFiles,
  openApprovedFiles,
  openFile,
  openSelectedFiles,
} from '@/lib/domain/files/queries'
import { PageOfDocument } from '@/lib/domain/files/schema'
import type { AnyIntake } from '@/lib/domain/kernel/intake'
import type { AnyOperation } from '@/lib/domain/kernel/operation'
import { uuid } from '@/lib/domain/kernel/shapes'
import {
  listNotifications,
  readAllNotifications,
  readNotification,
  updateNotification,
} from '@/lib/domain/notifications/inbox'
import { changeMailPreferences, getMailPreferences } from '@/lib/domain/notifications/preferences'
import { getPlayback, makePlayback, openPair, openPiece, openPlayback } from '@/lib/domain/playback/operations'
import { compareAttempts, listAttempts } from '@/lib/domain/pre-qc/attempts'
import { rerunBatch, rerunResult } from '@/lib/domain/pre-qc/commands'
import { ContactSheetQuery, getContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { browseDestinations, getFileDestinations } from '@/lib/domain/pre-qc/destinations'
import { browseFiles, listFileFacets } from '@/lib/domain/pre-qc/file-summaries'
import { previewWaivers, waiveChecks } from '@/lib/domain/pre-qc/many-waivers'
import { listNeedsEyes } from '@/lib/domain/pre-qc/needs-eyes'
import { getResult, listResults, openEvidence } from '@/lib/domain/pre-qc/queries'
import { getBatchReport, ReportFormat } from '@/lib/domain/pre-qc/report'
import { confirmScopedWaiver, listScopedWaivers, withdrawScopedWaiver } from '@/lib/domain/pre-qc/scoped-waivers'
import { tryDestination } from '@/lib/domain/pre-qc/try-destination'
import { confirmWaiver, listWaivers, waiveCheck, withdrawWaiver } from '@/lib/domain/pre-qc/waivers'
import { createProject, updateProject } from '@/lib/domain/projects/commands'
import { addMember, listMembers, removeMember } from '@/lib/domain/projects/members'
import { getProject, listProjects } from '@/lib/domain/projects/queries'
import { acceptRepair, getRepair, openRepair, proposeRepair, refuseRepair } from '@/lib/domain/repairs/operations'
import { getLegalHold, liftLegalHold, listLegalHolds, setLegalHold } from '@/lib/domain/retention/holds'
import { getRetentionRun, listRetentionRuns, previewRetention, startRetention } from '@/lib/domain/retention/runs'
import {
  getProjectRetention,
  getServiceRetention,
  updateProjectRetention,
  updateServiceRetention,
} from '@/lib/domain/retention/settings'
import { attachFile, detachFile, openAttachment } from '@/lib/domain/review/attach'
import { approvePassing, previewPassing, reviewFile, reviewFiles, undoReviews } from '@/lib/domain/review/commands'
import { copyComment, createComment, deleteComment, updateComment } from '@/lib/domain/review/comments'
import { ExportMarkers, openMarkers } from '@/lib/domain/review/markers'
import { listBatchPeople } from '@/lib/domain/review/mentions'
import { getComment, listComments } from '@/lib/domain/review/read-comments'
import {
  attachFileAsGuest,
  commentAsGuest,
  decideAsGuest,
  deleteCommentAsGuest,
  detachFileAsGuest,
  downloadRoomFile,
  editCommentAsGuest,
  getReviewRoom,
  listRoomFiles,
  openRoomAttachment,
  openRoomBanner,
  openRoomFile,
  openRoomPiece,
  unlockReviewLink,
  watchRoom,
} from '@/lib/domain/review-links/public'
import {
  createReviewLink,
  deactivateReviewLink,
  getReviewLink,
  listGuestDecisions,
  listReviewLinks,
  updateReviewLink,
} from '@/lib/domain/review-links/staff'
import { getRoomTiles, makeRoomTiles, openRoomTile } from '@/lib/domain/review-links/tiles'
import {
  createReviewStage,
  getReviewStage,
  listReviewStages,
  skipReviewStage,
  updateReviewStage,
  withdrawReviewStage,
} from '@/lib/domain/review-stages/stages'
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  updateSavedView,
} from '@/lib/domain/saved-views/saved-views'
import { getScorecard } from '@/lib/domain/scorecards/card'
import { createScorecardLink, deactivateScorecardLink, listScorecardLinks } from '@/lib/domain/scorecards/links'
import { search } from '@/lib/domain/search/queries'
import { PageSeparations, PlateQuery, SeparationsQuery } from '@/lib/domain/separations/schema'
import { retryJob } from '@/lib/domain/service-status/commands'
import { getServiceStatus } from '@/lib/domain/service-status/queries'
import { createMediaCategory, updateMediaCategory } from '@/lib/domain/settings/commands'
import { getMediaCategory, listMediaCategories } from '@/lib/domain/settings/queries'
import {
  downloadShare,
  downloadSharedFile,
  getShare,
  listSharedFiles,
  openSharedFile,
  unlockShareLink,
  watchShare,
} from '@/lib/domain/share-links/public'
import {
  createShareLink,
  deactivateShareLink,
  getShareLink,
  listShareLinks,
  updateShareLink,
} from '@/lib/domain/share-links/staff'
import { getSharedTiles, makeSharedTiles, openSharedTile } from '@/lib/domain/share-links/tiles'
import { getTiles, makeTiles, openTile } from '@/lib/domain/tiles/operations'
import {
  checkFiles,
  closeUploadSession,
  getPublicUploadLink,
  noteLinkOpened,
  receiveFileByLink,
  unlockUploadLink,
} from '@/lib/domain/upload-links/public'
import { listReceivingLinks } from '@/lib/domain/upload-links/receiving'
import {
  acceptRepairedCopy,
  listRejectedFiles,
  openRejectedAttachment,
  openRejectedFile,
  openRepairedCopy,
} from '@/lib/domain/upload-links/rejected-files'
import {
  createUploadLink,
  deactivateUploadLink,
  getUploadLink,
  listUploadLinks,
  updateUploadLink,
} from '@/lib/domain/upload-links/staff'
import {
  createWebhook,
  deleteWebhook,
  pingWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/commands'
import { getWebhook, getWebhookDelivery, listWebhookDeliveries, listWebhooks } from '@/lib/domain/webhooks/queries'
import type { Method } from './endpoint'
import { ListenQuery } from './live'

/**
 * The whole interface, in the order of its reference. Routes serve it, the description at /api/openapi.json is
 * made of it, and interface.test.ts holds the two together.
 */

type Guarded = Pick<AnyOperation, 'permission' | 'params'>

/** What a handler of its own does, described by hand because its bytes are no JSON. */
export type Described<
  Output extends z.ZodType | string = z.ZodType | string,
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> = Guarded & {
  kind: 'described'
  name: string
  summary: string
  /** A JSON body, or one multipart part named `file`. */
  body?: Body | 'file'
  status: number
  /** The shape of a JSON response, or the media type of any other. */
  response: Output
  /** What its handler reads of the query. */
  query?: Query
  /** Request headers worth knowing. */
  headers?: Record<string, string>
  /** Other media types of the response, by what the request asks for. */
  alsoAs?: string[]
  /** Statuses it may have besides those that follow from its kind: other successes, or refusals of a protocol. */
  statuses?: number[]
}

export type Served = Partial<Record<Method, AnyOperation | AnyIntake | Described>>
export type Section = { title: string; about: string; paths: Record<string, Served> }

function described<
  Output extends z.ZodType | string = 'application/octet-stream',
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(
  operation: Guarded & { name: string; summary: string },
  description: Partial<Described<Output, Body, Query>>,
): Described<Output, Body, Query> {
  return {
    kind: 'described',
    status: 200,
    response: 'application/octet-stream' as Output,
    ...description,
    name: description.name ?? operation.name,
    summary: description.summary ?? operation.summary,
    permission: operation.permission,
    params: operation.params,
  }
}

const RANGE = { Range: 'One byte range, such as bytes=0-1023; the response is then 206' }
/** Part of a file, kept by the caller already, kept elsewhere, asked for beyond its end. */
const BYTES = [206, 302, 304, 410, 416]
/** Of a file that a comment carries. */
const ATTACHED_IMAGE = {
  summary: 'An image that was drawn of a file that a comment carries',
  response: 'image/webp' as const,
  statuses: [304, 410],
}
/** Of the protocol of resumable uploads: refused by version, held by another request, a chunk that was damaged. */
const TUS = [412, 423, 460]

/** Resumable uploads speak a protocol of their own; the table names its first request. */
const tus = (intake: AnyIntake): { POST: Described } => ({
  POST: described(intake, {
    name: `${intake.name}Resumable`,
    summary: 'Begin a resumable upload (tus 1.0: creation, creation-with-upload, termination, checksum, expiration)',
    status: 201,
    response: intake.output,
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': 'Bytes of the whole file',
      'Upload-Metadata': 'filename, in Base64; the response to the last PATCH is the verdict on the file',
    },
    statuses: TUS,
  }),
})

const open = { permission: 'anyone', params: [] } as const

const batch = '/api/projects/{project_id}/batches/{batch_id}'
const file = `${batch}/files/{file_id}`
const delivery = `${batch}/deliveries/{batch_delivery_id}`
const link = '/api/public/upload-links/{token}'
const room = '/api/public/review-links/{token}'
const roomFile = `${room}/files/{file_id}`
const share = '/api/public/share-links/{token}'
const sharedFile = `${share}/files/{file_id}`
const upload = `${batch}/uploads/{upload_id}`
const linkUpload = `${link}/uploads/{upload_id}`
const estimate = '/api/cost-estimates/{estimate_id}'
const clientEstimate = '/api/public/cost-estimates/{token}'

const SECTIONS = [
  {
    title: 'Projects',
    about: 'Work is organised in projects. You see those you are a member of; administrators see all.',
    paths: {
      '/api/projects': { GET: listProjects, POST: createProject },
      '/api/project-progress': { GET: progressOf },
      '/api/projects/{project_id}': { GET: getProject, PATCH: updateProject },
      '/api/projects/{project_id}/retention': { GET: getProjectRetention, PUT: updateProjectRetention },
      '/api/projects/{project_id}/members': { GET: listMembers },
      '/api/projects/{project_id}/members/{user_id}': { PUT: addMember, DELETE: removeMember },
    },
  },
  {
    title: 'Batches',
    about: 'A batch collects files for one purpose, and is submitted, reviewed and resupplied as a whole.',
    paths: {
      '/api/batches': { GET: browseBatches },
      '/api/batches/assign': { POST: assignBatches },
      '/api/projects/{project_id}/batches': { GET: listBatches, POST: createBatch },
      '/api/projects/{project_id}/batches/table': { POST: createBatchesOfTable },
      '/api/projects/{project_id}/batches/table/check': { POST: checkBatchTable },
      [batch]: { GET: getBatch, PATCH: updateBatch },
      [`${batch}/submit`]: { POST: submitBatch },
      [`${batch}/complete-review`]: { POST: completeReview },
      [`${batch}/cancel`]: { POST: cancelBatch },
      [`${batch}/receiving-links`]: { GET: listReceivingLinks },
      [`${batch}/activity`]: { GET: listActivity },
      [`${batch}/report`]: {
        GET: described(getBatchReport, {
          response: getBatchReport.output,
          query: ReportFormat,
          alsoAs: ['application/pdf'],
          statuses: [406],
        }),
      },
      [`${batch}/contact-sheet`]: {
        GET: described(getContactSheet, { response: 'application/pdf', query: ContactSheetQuery, statuses: [503] }),
      },
      [`${batch}/archive`]: {
        GET: described(openApprovedFiles, {
          name: 'downloadBatch',
          response: 'application/zip',
          headers: RANGE,
          statuses: [206, 410, 416],
        }),
      },
      [`${batch}/manifest`]: { GET: getManifest, PUT: replaceManifest },
      [`${batch}/stages`]: { GET: listReviewStages, POST: createReviewStage },
      [`${batch}/stages/{stage_id}`]: { GET: getReviewStage, PATCH: updateReviewStage, DELETE: withdrawReviewStage },
      [`${batch}/stages/{stage_id}/skip`]: { POST: skipReviewStage },
    },
  },
  {
    title: 'Files',
    about:
      'Every file is validated by name, duplicates and integrity before it is stored. A refused file gets a 422 `file_rejected` with every violation, and nothing of it is kept.',
    paths: {
      [`${batch}/files`]: { GET: listFiles, POST: receiveFile },
      [`${batch}/files/check`]: { POST: checkNewFiles },
      [`${batch}/files/archive`]: {
        POST: described(openSelectedFiles, {
          name: 'downloadFiles',
          body: openSelectedFiles.input,
          response: 'application/zip',
          statuses: [410],
        }),
      },
      [`${batch}/files/archive/check`]: { POST: checkSelectedFiles },
      [`${batch}/files/move`]: { POST: moveFiles },
      [`${batch}/file-summaries`]: { GET: browseFiles },
      [`${batch}/file-facets`]: { GET: listFileFacets },
      [file]: { GET: getFile, DELETE: deleteFile },
      [`${file}/download`]: {
        GET: described(openFile, {
          name: 'downloadFile',
          summary: 'The bytes of a file, whole or by range',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${file}/preview`]: {
        GET: described(openFile, {
          name: 'previewFile',
          summary: 'An image of the file, of a document one page; 404 until it is made',
          query: PageOfDocument,
          response: 'image/webp',
          statuses: [304, 410],
        }),
      },
      [`${file}/thumbnail`]: {
        GET: described(openFile, {
          name: 'thumbnailFile',
          summary: 'A small image of the file; 404 until it is made',
          response: 'image/webp',
          statuses: [304, 410],
        }),
      },
      [`${file}/playback`]: { GET: getPlayback, POST: makePlayback },
      [`${file}/playback/media`]: {
        GET: described(openPlayback, { headers: RANGE, statuses: BYTES }),
      },
      [`${file}/playback/pairs/{number}`]: {
        GET: described(openPair, { headers: RANGE, statuses: BYTES }),
      },
      [`${file}/playback/pieces/{pieces_id}/{number}`]: {
        GET: described(openPiece, { response: 'video/mp4', statuses: [410] }),
      },
      [`${file}/tiles`]: { GET: getTiles, POST: makeTiles },
      [`${file}/tiles/{level}/{column}/{row}`]: {
        GET: described(openTile, { response: 'image/png', statuses: [304, 410] }),
      },
      [`${file}/separations`]: {
        GET: described(openFile, {
          name: 'getSeparations',
          summary: 'The plates that a page of a PDF is printed with',
          query: SeparationsQuery,
          response: PageSeparations,
          statuses: [304, 409, 410, 503],
        }),
      },
      [`${file}/separations/plate`]: {
        GET: described(openFile, {
          name: 'openPlate',
          summary: 'One plate of a page of a PDF, as a PDF of that page in grey',
          query: PlateQuery,
          response: 'application/pdf',
          statuses: [304, 409, 410, 503],
        }),
      },
      [`${batch}/tus`]: tus(receiveFile),
      [`${batch}/uploads`]: { POST: byStaff.begin },
      [upload]: { GET: byStaff.get, DELETE: byStaff.cancel },
      [`${upload}/parts`]: { POST: byStaff.sign },
      [`${upload}/complete`]: { POST: byStaff.complete },
      [`${file}/review`]: { POST: reviewFile },
      [`${batch}/review`]: { POST: reviewFiles },
      [`${file}/banner`]: { GET: openBanner },
      '/api/banners/{token}/{path}': { GET: described(openBannerPart, { response: 'text/html' }) },
    },
  },
  {
    title: 'Review',
    about:
      'Files are decided one by one or many at once, commented on at a place in them, and decisions can be taken back for a minute.',
    paths: {
      [`${batch}/review/passing`]: { GET: previewPassing, POST: approvePassing },
      [`${batch}/review/undo`]: { POST: undoReviews },
      [`${batch}/comments`]: { GET: listComments },
      [`${batch}/people`]: { GET: listBatchPeople },
      [`${file}/comments`]: { POST: createComment },
      [`${file}/comments/export`]: {
        GET: described(openMarkers, {
          name: 'exportComments',
          query: ExportMarkers,
          response: 'application/json',
          alsoAs: ['text/plain', 'text/csv', 'application/xml', 'application/vnd.adobe.xfdf', 'application/pdf'],
          statuses: [406, 410, 503],
        }),
      },
      [`${file}/comments/{comment_id}`]: { GET: getComment, PATCH: updateComment, DELETE: deleteComment },
      [`${file}/comments/{comment_id}/copy`]: { POST: copyComment },
      [`${file}/comments/{comment_id}/attachments`]: { POST: attachFile },
      [`${file}/comments/{comment_id}/attachments/{attachment_id}`]: {
        GET: described(openAttachment, { headers: RANGE, statuses: BYTES }),
        DELETE: detachFile,
      },
      [`${file}/comments/{comment_id}/attachments/{attachment_id}/picture`]: {
        GET: described(openAttachment, { ...ATTACHED_IMAGE, name: 'showAttachment' }),
      },
      '/api/my-work': { GET: listMyWork },
      '/api/search': { GET: search },
    },
  },
  {
    title: 'Cost estimates',
    about: 'Priced line items for a project: approved inside, then by the client, and exported as PDF.',
    paths: {
      '/api/cost-estimates': { GET: listEstimates, POST: createEstimate },
      [estimate]: { GET: getEstimate, PATCH: updateEstimate, DELETE: deleteEstimate },
      [`${estimate}/submit`]: { POST: submitEstimate },
      [`${estimate}/approve`]: { POST: approveEstimate },
      [`${estimate}/reject`]: { POST: rejectEstimate },
      [`${estimate}/revise`]: { POST: reviseEstimate },
      [`${estimate}/revisions`]: { GET: listEstimateRevisions },
      [`${estimate}/revoke-link`]: { POST: revokeEstimateLink },
      [`${estimate}/client-erasure`]: { GET: previewClientErasure, POST: eraseClient },
      [`${estimate}/export`]: {
        GET: described(openEstimate, {
          name: 'exportEstimate',
          summary: 'The estimate as a file. Characters a PDF has no typeface for are named in Unprintable-Characters',
          query: ExportEstimate,
          response: 'application/pdf',
          alsoAs: ['text/csv'],
          statuses: [406],
        }),
      },
      [clientEstimate]: { GET: getClientEstimate },
      [`${clientEstimate}/decision`]: { POST: decideClientEstimate },
      [`${clientEstimate}/undo`]: { POST: undoClientDecision },
      [`${clientEstimate}/pdf`]: { GET: described(openClientEstimate, { response: 'application/pdf' }) },
    },
  },
  {
    title: 'Upload links',
    about: 'A link lets a person without an account send files into one batch.',
    paths: {
      '/api/upload-links': { GET: listUploadLinks, POST: createUploadLink },
      '/api/upload-links/{link_id}': { GET: getUploadLink, PATCH: updateUploadLink, DELETE: deactivateUploadLink },
    },
  },
  {
    title: 'Uploading through a link',
    about: 'No account and no token of your own: the token in the path is the right to upload.',
    paths: {
      [link]: { GET: getPublicUploadLink },
      [`${link}/files/check`]: { POST: checkFiles },
      [`${link}/files`]: { POST: receiveFileByLink },
      [`${link}/rejected-files`]: { GET: listRejectedFiles },
      [`${link}/files/{file_id}/picture`]: {
        GET: described(openRejectedFile, { response: 'image/webp', query: PageOfDocument, statuses: [304] }),
      },
      [`${link}/files/{file_id}/media`]: {
        GET: described(openRejectedFile, {
          name: 'playRejectedFile',
          summary: 'A video that was rejected, while a new version of it is awaited; whole or by range',
          response: 'video/mp4',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${link}/files/{file_id}/repair/accept`]: { POST: acceptRepairedCopy },
      [`${link}/files/{file_id}/repair/preview`]: {
        GET: described(openRepairedCopy, {
          name: 'previewRepairedCopy',
          summary: 'An image of a repaired copy of a rejected file',
          response: 'image/webp',
          statuses: [304],
        }),
      },
      [`${link}/files/{file_id}/repair/download`]: {
        GET: described(openRepairedCopy, { headers: RANGE, statuses: BYTES }),
      },
      [`${link}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}`]: {
        GET: described(openRejectedAttachment, { headers: RANGE, statuses: BYTES }),
      },
      [`${link}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}/picture`]: {
        GET: described(openRejectedAttachment, { ...ATTACHED_IMAGE, name: 'showRejectedAttachment' }),
      },
      [`${link}/tus`]: tus(receiveFileByLink),
      [`${link}/uploads`]: { POST: byLink.begin },
      [linkUpload]: { GET: byLink.get, DELETE: byLink.cancel },
      [`${linkUpload}/parts`]: { POST: byLink.sign },
      [`${linkUpload}/complete`]: { POST: byLink.complete },
      '/api/uploadthing': {
        POST: described(
          {
            ...open,
            name: 'uploadToUploadThing',
            summary:
              'Where files are kept at UploadThing: begin an upload that goes directly there, and its signed callback',
          },
          { response: 'application/json' },
        ),
      },
      [`${link}/opened`]: { POST: noteLinkOpened },
      [`${link}/session`]: {
        POST: described(closeUploadSession, {
          name: 'openUploadSession',
          summary: 'Begin a session: its files are one use of the link; a cookie keeps it',
          status: 201,
          response: z.object({ session: uuid }),
        }),
        DELETE: described(closeUploadSession, { response: closeUploadSession.output }),
      },
      [`${link}/unlock`]: {
        POST: described(unlockUploadLink, {
          body: unlockUploadLink.input,
          response: z.object({ unlocked: z.literal(true) }),
        }),
      },
    },
  },
  {
    title: 'Review links',
    about:
      'A link lets one person without an account see, comment on and decide files of a batch: a client, legal, a partner.',
    paths: {
      '/api/review-links': { GET: listReviewLinks, POST: createReviewLink },
      '/api/review-links/{review_link_id}': {
        GET: getReviewLink,
        PATCH: updateReviewLink,
        DELETE: deactivateReviewLink,
      },
      '/api/review-links/{review_link_id}/decisions': { GET: listGuestDecisions },
      '/api/review-links/{review_link_id}/erasure': { GET: previewGuestErasure, POST: eraseGuest },
    },
  },
  {
    title: 'Reviewing through a link',
    about: 'No account and no token of your own: the token in the path is the right to it.',
    paths: {
      [room]: { GET: getReviewRoom },
      [`${room}/unlock`]: {
        POST: described(unlockReviewLink, {
          body: unlockReviewLink.input,
          response: z.object({ unlocked: z.literal(true) }),
        }),
      },
      [`${room}/live`]: { GET: described(watchRoom, { response: 'text/event-stream', query: ListenQuery }) },
      [`${room}/files`]: { GET: listRoomFiles },
      [`${roomFile}/picture`]: {
        GET: described(openRoomFile, { response: 'image/webp', query: PageOfDocument, statuses: [304, 410] }),
      },
      [`${roomFile}/tiles`]: { GET: getRoomTiles, POST: makeRoomTiles },
      [`${roomFile}/tiles/{level}/{column}/{row}`]: {
        GET: described(openRoomTile, { response: 'image/png', statuses: [304, 410] }),
      },
      [`${roomFile}/media`]: {
        GET: described(openRoomFile, {
          name: 'playRoomFile',
          summary: 'A video or audio that a review link shows, whole or by range',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${roomFile}/playback/media`]: {
        GET: described(openRoomFile, {
          name: 'playRoomCopy',
          summary: 'The copy that browsers play of a video or audio that a review link shows; 404 until it is made',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${roomFile}/playback/pieces/{pieces_id}/{number}`]: {
        GET: described(openRoomPiece, { response: 'video/mp4', statuses: [410] }),
      },
      [`${roomFile}/download`]: { GET: described(downloadRoomFile, { headers: RANGE, statuses: BYTES }) },
      [`${roomFile}/banner`]: { GET: openRoomBanner },
      [`${roomFile}/decision`]: { POST: decideAsGuest },
      [`${roomFile}/comments`]: { POST: commentAsGuest },
      [`${roomFile}/comments/{comment_id}`]: { PATCH: editCommentAsGuest, DELETE: deleteCommentAsGuest },
      [`${roomFile}/comments/{comment_id}/attachments`]: { POST: attachFileAsGuest },
      [`${roomFile}/comments/{comment_id}/attachments/{attachment_id}`]: {
        GET: described(openRoomAttachment, { headers: RANGE, statuses: BYTES }),
        DELETE: detachFileAsGuest,
      },
      [`${roomFile}/comments/{comment_id}/attachments/{attachment_id}/picture`]: {
        GET: described(openRoomAttachment, { ...ATTACHED_IMAGE, name: 'showRoomAttachment' }),
      },
    },
  },
  {
    title: 'Pre-QC',
    about:
      'Automated checks of submitted files. A result belongs to the content of a file and the settings it was made with.',
    paths: {
      '/api/pre-qc/needs-eyes': { GET: listNeedsEyes },
      '/api/pre-qc/results': { GET: listResults },
      '/api/pre-qc/results/{result_id}': { GET: getResult },
      '/api/pre-qc/results/{result_id}/evidence/{number}': {
        GET: described(openEvidence, {
          name: 'getEvidence',
          summary: 'An image of what a check found, as its line names it',
          response: 'image/webp',
          statuses: [304, 410],
        }),
      },
      '/api/pre-qc/results/{result_id}/comparison': { GET: compareAttempts },
      [`${file}/attempts`]: { GET: listAttempts },
      [`${file}/repair`]: { GET: getRepair, POST: proposeRepair },
      [`${file}/repair/accept`]: { POST: acceptRepair },
      [`${file}/repair/refuse`]: { POST: refuseRepair },
      [`${file}/repair/download`]: {
        GET: described(openRepair, { name: 'downloadRepair', headers: RANGE, statuses: [...BYTES] }),
      },
      [`${file}/repair/preview`]: {
        GET: described(openRepair, {
          name: 'previewRepair',
          summary: 'An image of the repaired copy that waits for a decision',
          response: 'image/webp',
          statuses: [304, 410],
        }),
      },
      '/api/pre-qc/results/{result_id}/rerun': { POST: rerunResult },
      [`${batch}/pre-qc/rerun`]: { POST: rerunBatch },
      '/api/pre-qc/results/{result_id}/checks/{check_id}/waive': { POST: waiveCheck, DELETE: withdrawWaiver },
      '/api/pre-qc/results/{result_id}/checks/{check_id}/waive/confirm': { POST: confirmWaiver },
      '/api/projects/{project_id}/waivers': { GET: listWaivers },
      '/api/projects/{project_id}/scoped-waivers': { GET: listScopedWaivers },
      '/api/projects/{project_id}/scoped-waivers/{waiver_id}': { DELETE: withdrawScopedWaiver },
      '/api/projects/{project_id}/scoped-waivers/{waiver_id}/confirm': { POST: confirmScopedWaiver },
      [`${batch}/waivers`]: { POST: waiveChecks },
      [`${batch}/waivers/preview`]: { POST: previewWaivers },
      '/api/pre-qc/analytics/agencies': { GET: getAgencyAnalytics },
      '/api/pre-qc/analytics/overruled-checks': { GET: getOverruledChecks },
      '/api/pre-qc/analytics/agencies/csv': {
        GET: described(getAgencyAnalytics, {
          name: 'exportAgencyAnalytics',
          summary: 'The same metrics as a spreadsheet reads them',
          query: getAgencyAnalytics.input,
          response: 'text/csv',
        }),
      },
    },
  },
  {
    title: 'Agencies and campaigns',
    about: 'Who sends files, and for what. Their codes stand in file names.',
    paths: {
      '/api/agencies': { GET: listAgencies, POST: createAgency },
      '/api/agency-storage': { GET: listAgencyStorage },
      '/api/agencies/{agency_id}': { GET: getAgency, PATCH: updateAgency },
      '/api/agencies/{agency_id}/scorecard-links': { GET: listScorecardLinks, POST: createScorecardLink },
      '/api/scorecard-links/{scorecard_link_id}': { DELETE: deactivateScorecardLink },
      '/api/public/scorecards/{token}': { GET: getScorecard },
      '/api/campaigns': { GET: listCampaigns, POST: createCampaign },
      '/api/campaigns/{campaign_id}': { GET: getCampaign, PATCH: updateCampaign },
    },
  },
  {
    title: 'Media categories',
    about: 'What files of one kind must be: how they are named, which types and sizes are taken, what Pre-QC checks.',
    paths: {
      '/api/media-categories': { GET: listMediaCategories, POST: createMediaCategory },
      '/api/media-categories/{media_category_id}': { GET: getMediaCategory, PATCH: updateMediaCategory },
    },
  },
  {
    title: 'Destinations',
    about:
      'Where files are delivered to, each with its published specification. Files are evaluated against them by what was measured; nothing is decoded again.',
    paths: {
      '/api/destinations': { GET: listDestinations, POST: importDestination },
      '/api/destinations/{destination_id}': { GET: getDestination, DELETE: withdrawDestination },
      '/api/destinations/{destination_id}/changes': { GET: compareVersions },
      '/api/destinations/dry-run': { POST: tryDestination },
      [`${batch}/destinations`]: { GET: browseDestinations },
      [`${file}/destinations`]: { GET: getFileDestinations },
    },
  },
  {
    title: 'People',
    about: 'Roles are viewer, operator, coordinator and administrator; each has all rights of those before it.',
    paths: {
      '/api/public/setup/{token}': { GET: getSetup, POST: setUpService },
      '/api/users': { GET: listUsers, POST: createUser },
      '/api/users/me': { GET: getMe },
      '/api/users/me/password': { POST: changeOwnPassword },
      '/api/users/{user_id}': { GET: getUser, PATCH: updateUser },
      '/api/users/{user_id}/reset-link': { POST: createResetLink },
      '/api/users/{user_id}/erasure': { GET: previewErasure, POST: eraseUser },
      '/api/public/password-resets': { POST: requestPasswordReset },
      '/api/public/password-resets/use': { POST: resetPassword },
    },
  },
  {
    title: 'Saved views',
    about: 'The filters, order and form of a list under a name: your own, and those that others share.',
    paths: {
      '/api/saved-views': { GET: listSavedViews, POST: createSavedView },
      '/api/saved-views/{view_id}': { GET: getSavedView, PATCH: updateSavedView, DELETE: deleteSavedView },
    },
  },
  {
    title: 'API tokens',
    about: 'A token acts as its user, never with more rights. It is made in Settings or by `npm run token`.',
    paths: {
      '/api/tokens': { GET: listTokens, POST: createToken },
      '/api/tokens/{token_id}': { GET: getToken, DELETE: revokeToken },
    },
  },
  {
    title: 'Notifications',
    about: 'Notifications. Users see their own only.',
    paths: {
      '/api/notifications': { GET: listNotifications },
      '/api/notifications/{notification_id}': { PATCH: updateNotification },
      '/api/notifications/{notification_id}/read': { POST: readNotification },
      '/api/notifications/read-all': { POST: readAllNotifications },
      '/api/notifications/mail-preferences': { GET: getMailPreferences, PUT: changeMailPreferences },
      '/api/live': {
        GET: described(
          {
            permission: 'notifications.own',
            params: [],
            name: 'listen',
            summary: 'Hints of what happens, as server-sent events; what it was, ask the usual paths',
          },
          { response: 'text/event-stream', query: ListenQuery },
        ),
      },
    },
  },
  {
    title: 'Webhooks',
    about:
      'Endpoints of other systems that are notified of events, by the rules of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` with every request, 2xx within 20 s is success, anything else is tried again for three days, 410 disables.',
    paths: {
      '/api/webhooks': { GET: listWebhooks, POST: createWebhook },
      '/api/webhooks/{webhook_id}': { GET: getWebhook, PATCH: updateWebhook, DELETE: deleteWebhook },
      '/api/webhooks/{webhook_id}/rotate-secret': { POST: rotateWebhookSecret },
      '/api/webhooks/{webhook_id}/ping': { POST: pingWebhook },
      '/api/webhooks/{webhook_id}/deliveries': { GET: listWebhookDeliveries },
      '/api/webhooks/{webhook_id}/deliveries/{delivery_id}': { GET: getWebhookDelivery },
      '/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend': { POST: resendWebhookDelivery },
    },
  },
  {
    title: 'Deliveries',
    about:
      'Approved files, sent to an S3 bucket, by SFTP, WebDAV or HTTP PUT, verified after they were sent, and with a receipt. Targets are set by administrators; what fails for a while is tried again for about three hours, what is refused is not.',
    paths: {
      '/api/delivery-targets': { GET: listDeliveryTargets, POST: createDeliveryTarget },
      '/api/delivery-targets/{delivery_target_id}': {
        GET: getDeliveryTarget,
        PATCH: updateDeliveryTarget,
        DELETE: deleteDeliveryTarget,
      },
      '/api/delivery-targets/{delivery_target_id}/test': { POST: testDeliveryTarget },
      [`${batch}/delivery-choices`]: { GET: listDeliveryChoices },
      [`${batch}/deliverable-files`]: { GET: listDeliverableFiles },
      [`${batch}/deliveries`]: { GET: listDeliveries, POST: requestDelivery },
      [`${batch}/deliveries/preview`]: { POST: previewDelivery },
      [delivery]: { GET: getDelivery },
      [`${delivery}/retry`]: { POST: retryDelivery },
      [`${delivery}/cancel`]: { POST: cancelDelivery },
      [`${delivery}/receipt`]: {
        GET: described(getDeliveryReceipt, {
          response: getDeliveryReceipt.output,
          query: ReceiptFormat,
          alsoAs: ['text/csv'],
          statuses: [406],
        }),
      },
    },
  },
  {
    title: 'Share links',
    about:
      'Approved files for one receiver without an account, as they were when they were shared: to view, and to download where that is allowed. A file whose approval is withdrawn is not offered any more.',
    paths: {
      '/api/share-links': { GET: listShareLinks, POST: createShareLink },
      '/api/share-links/{share_link_id}': { GET: getShareLink, PATCH: updateShareLink, DELETE: deactivateShareLink },
      '/api/share-links/{share_link_id}/erasure': { GET: previewReceiverErasure, POST: eraseReceiver },
    },
  },
  {
    title: 'Receiving shared files',
    about: 'No account and no token of your own: the token in the path is the right to it.',
    paths: {
      [share]: { GET: getShare },
      [`${share}/unlock`]: {
        POST: described(unlockShareLink, {
          body: unlockShareLink.input,
          response: z.object({ unlocked: z.literal(true) }),
        }),
      },
      [`${share}/live`]: { GET: described(watchShare, { response: 'text/event-stream', query: ListenQuery }) },
      [`${share}/files`]: { GET: listSharedFiles },
      [`${share}/archive`]: {
        GET: described(downloadShare, { response: 'application/zip', headers: RANGE, statuses: [206, 410, 416] }),
      },
      [`${sharedFile}/thumbnail`]: {
        GET: described(openSharedFile, {
          name: 'getSharedThumbnail',
          summary: 'A small image of a shared file',
          response: 'image/webp',
          statuses: [304, 410],
        }),
      },
      [`${sharedFile}/preview`]: {
        GET: described(openSharedFile, { response: 'image/webp', query: PageOfDocument, statuses: [304, 410] }),
      },
      [`${sharedFile}/tiles`]: { GET: getSharedTiles, POST: makeSharedTiles },
      [`${sharedFile}/tiles/{level}/{column}/{row}`]: {
        GET: described(openSharedTile, { response: 'image/png', statuses: [304, 410] }),
      },
      [`${sharedFile}/media`]: {
        GET: described(openSharedFile, {
          name: 'playSharedFile',
          summary: 'A shared video or audio, whole or by range',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${sharedFile}/playback/media`]: {
        GET: described(openSharedFile, {
          name: 'playSharedCopy',
          summary: 'The copy that browsers play of a shared video or audio; 404 until it is made',
          headers: RANGE,
          statuses: BYTES,
        }),
      },
      [`${sharedFile}/download`]: { GET: described(downloadSharedFile, { headers: RANGE, statuses: BYTES }) },
    },
  },
  {
    title: 'Certificates',
    about: 'An approval is bound to bytes. A certificate names every approved file by its SHA-256 and is signed.',
    paths: {
      [`${batch}/certificate`]: { GET: getCertificate, POST: issueCertificate },
      [`${batch}/certificate/pdf`]: {
        GET: described(getCertificate, {
          name: 'printCertificate',
          summary: 'The certificate on paper, with a QR code to its verification page',
          response: 'application/pdf',
        }),
      },
      '/api/public/verify': { POST: verifyFile },
      '/api/public/certificates/{certificate_id}': { GET: getPublicCertificate },
    },
  },
  {
    title: 'Audit trail',
    about: 'Everything that happened. Append-only, and sealed in a chain of hashes.',
    paths: {
      '/api/audit-events': { GET: listAuditEvents },
      '/api/audit-events/verification': { GET: verifyAuditTrail },
    },
  },
  {
    title: 'Retention',
    about:
      'For how long files, previews and notifications are kept. A run removes exactly what its preview showed; rows, hashes, verdicts and decisions stay, and the bytes answer 410 `removed`. While a project, or its agency, is under legal hold, nothing of it is deleted: a call that would is refused with 409 `legal_hold`.',
    paths: {
      '/api/retention-rules': { GET: getServiceRetention, PUT: updateServiceRetention },
      '/api/retention-runs': { GET: listRetentionRuns, POST: previewRetention },
      '/api/retention-runs/{run_id}': { GET: getRetentionRun },
      '/api/retention-runs/{run_id}/start': { POST: startRetention },
      '/api/legal-holds': { GET: listLegalHolds, POST: setLegalHold },
      '/api/legal-holds/{hold_id}': { GET: getLegalHold },
      '/api/legal-holds/{hold_id}/lift': { POST: liftLegalHold },
    },
  },
  {
    title: 'The service',
    about: 'For those who run it, and this description itself.',
    paths: {
      '/api/health/live': {
        GET: described(
          { ...open, name: 'isAlive', summary: 'The process runs' },
          { response: z.object({ status: z.literal('ok') }) },
        ),
      },
      '/api/health/ready': {
        GET: described(
          {
            ...open,
            name: 'isReady',
            summary: 'Database, storage and worker can do their work; otherwise 503 with the reasons',
          },
          { response: z.object({ status: z.literal('ok'), checks: z.record(z.string(), z.string()) }) },
        ),
      },
      '/api/service-status': { GET: getServiceStatus },
      '/api/jobs/{job_id}/retry': { POST: retryJob },
      '/api/metrics': {
        GET: described(
          { ...open, name: 'readMetrics', summary: 'Metrics for Prometheus; from this machine, or with a token' },
          { response: 'text/plain' },
        ),
      },
      '/api/openapi.json': {
        GET: described(
          { ...open, name: 'describeInterface', summary: 'This description, OpenAPI 3.1' },
          { response: 'application/json' },
        ),
      },
    },
  },
] as const satisfies readonly Section[]

export const INTERFACE: readonly Section[] = SECTIONS
/** The same with every operation's own type: what lib/http/calls.ts derives the types of the client from. */
export type Sections = typeof SECTIONS
