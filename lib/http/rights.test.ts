import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '@/db/schema/columns'
import { testSql } from '@/db/testing'
import {
  makeAgency,
  makeAttachment,
  makeBatch,
  makeCampaign,
  makeComment,
  makeDelivery,
  makeDeliveryTarget,
  makeDestination,
  makeDirectUpload,
  makeEstimate,
  makeFile,
  makeFileDelivery,
  makeImageTiles,
  makeLegalHold,
  makeMediaCategory,
  makeNotification,
  makePlaybackProxy,
  makeProject,
  makeRepair,
  makeResult,
  makeRetentionRun,
  makeReviewLink,
  makeReviewStage,
  makeSavedView,
  makeScopedWaiver,
  makeScorecardLink,
  makeShareLink,
  makeToken,
  makeUploadLink,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import { evidencePath } from '@/lib/domain/pre-qc/rules'
import { ROLES, type Role } from '@/lib/vocabulary'
import type { Handler } from './endpoint'
import { INTERFACE } from './interface'
import { routes, send } from './testing'

/**
 * Who may do what, for every method of every path. A new one without a line here fails; so does a line that changes
 * without meaning to. `own`: all signed-in users, for what is theirs. `open`: no account needed.
 */
const LEAST: Record<string, Role | 'own' | 'open'> = {
  'GET /api/projects': 'viewer',
  'POST /api/projects': 'coordinator',
  'GET /api/projects/{project_id}': 'viewer',
  'PATCH /api/projects/{project_id}': 'coordinator',
  'GET /api/projects/{project_id}/retention': 'viewer',
  'PUT /api/projects/{project_id}/retention': 'administrator',
  'GET /api/projects/{project_id}/members': 'viewer',
  'PUT /api/projects/{project_id}/members/{user_id}': 'coordinator',
  'DELETE /api/projects/{project_id}/members/{user_id}': 'coordinator',
  'GET /api/projects/{project_id}/batches': 'viewer',
  'POST /api/projects/{project_id}/batches': 'coordinator',
  'POST /api/projects/{project_id}/batches/table': 'coordinator',
  'POST /api/projects/{project_id}/batches/table/check': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}': 'viewer',
  'PATCH /api/projects/{project_id}/batches/{batch_id}': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/submit': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/complete-review': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/cancel': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/receiving-links': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/activity': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/report': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/contact-sheet': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/archive': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/manifest': 'viewer',
  'PUT /api/projects/{project_id}/batches/{batch_id}/manifest': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files': 'viewer',
  'GET /api/batches': 'own',
  'POST /api/batches/assign': 'coordinator',
  'GET /api/project-progress': 'own',
  'GET /api/projects/{project_id}/batches/{batch_id}/file-facets': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/file-summaries': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/files': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/check': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/archive': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/move': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/archive/check': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}': 'viewer',
  'DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/download': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/preview': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/thumbnail': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback/media': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback/pairs/{number}': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback/pieces/{pieces_id}/{number}': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/separations': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/separations/plate': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/tiles': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/tiles': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/tiles/{level}/{column}/{row}': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/export': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/tus': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/uploads': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/uploads/{upload_id}': 'operator',
  'DELETE /api/projects/{project_id}/batches/{batch_id}/uploads/{upload_id}': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/uploads/{upload_id}/parts': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/uploads/{upload_id}/complete': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/review': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/review': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/banner': 'viewer',
  // The address is the right: a frame without an origin has no cookie to show.
  'GET /api/banners/{token}/{path}': 'open',
  // Who asks is known by a link's token, who calls back by a signature.
  'POST /api/uploadthing': 'open',
  'GET /api/projects/{project_id}/batches/{batch_id}/review/passing': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/review/passing': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/review/undo': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/comments': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/people': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}': 'viewer',
  'PATCH /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}': 'operator',
  'DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/copy': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/attachments': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}':
    'viewer',
  'DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}':
    'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}/picture':
    'viewer',
  'GET /api/my-work': 'own',
  'GET /api/search': 'own',
  'GET /api/public/upload-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}': 'open',
  'GET /api/public/upload-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}/picture':
    'open',
  'GET /api/public/upload-links/{token}/rejected-files': 'open',
  'GET /api/public/upload-links/{token}/files/{file_id}/picture': 'open',
  'GET /api/public/upload-links/{token}/files/{file_id}/media': 'open',
  'POST /api/public/upload-links/{token}/files/{file_id}/repair/accept': 'open',
  'GET /api/public/upload-links/{token}/files/{file_id}/repair/preview': 'open',
  'GET /api/public/upload-links/{token}/files/{file_id}/repair/download': 'open',
  'GET /api/cost-estimates': 'viewer',
  'POST /api/cost-estimates': 'coordinator',
  'GET /api/cost-estimates/{estimate_id}': 'viewer',
  'PATCH /api/cost-estimates/{estimate_id}': 'coordinator',
  'DELETE /api/cost-estimates/{estimate_id}': 'coordinator',
  'POST /api/cost-estimates/{estimate_id}/submit': 'coordinator',
  // A step of the workflow may be for another user; without one, it is the coordinator who records the decision.
  'POST /api/cost-estimates/{estimate_id}/approve': 'coordinator',
  'POST /api/cost-estimates/{estimate_id}/reject': 'coordinator',
  'POST /api/cost-estimates/{estimate_id}/revise': 'coordinator',
  'POST /api/cost-estimates/{estimate_id}/revoke-link': 'coordinator',
  'GET /api/cost-estimates/{estimate_id}/revisions': 'viewer',
  'GET /api/cost-estimates/{estimate_id}/client-erasure': 'administrator',
  'POST /api/cost-estimates/{estimate_id}/client-erasure': 'administrator',
  'GET /api/cost-estimates/{estimate_id}/export': 'viewer',
  'GET /api/public/cost-estimates/{token}': 'open',
  'POST /api/public/cost-estimates/{token}/decision': 'open',
  'POST /api/public/cost-estimates/{token}/undo': 'open',
  'GET /api/public/cost-estimates/{token}/pdf': 'open',
  'GET /api/upload-links': 'coordinator',
  'POST /api/upload-links': 'coordinator',
  'GET /api/upload-links/{link_id}': 'coordinator',
  'PATCH /api/upload-links/{link_id}': 'coordinator',
  'DELETE /api/upload-links/{link_id}': 'coordinator',
  'GET /api/public/upload-links/{token}': 'open',
  'POST /api/public/upload-links/{token}/files/check': 'open',
  'POST /api/public/upload-links/{token}/files': 'open',
  'POST /api/public/upload-links/{token}/tus': 'open',
  'POST /api/public/upload-links/{token}/uploads': 'open',
  'GET /api/public/upload-links/{token}/uploads/{upload_id}': 'open',
  'DELETE /api/public/upload-links/{token}/uploads/{upload_id}': 'open',
  'POST /api/public/upload-links/{token}/uploads/{upload_id}/parts': 'open',
  'POST /api/public/upload-links/{token}/uploads/{upload_id}/complete': 'open',
  'POST /api/public/upload-links/{token}/opened': 'open',
  'POST /api/public/upload-links/{token}/session': 'open',
  'DELETE /api/public/upload-links/{token}/session': 'open',
  'POST /api/public/upload-links/{token}/unlock': 'open',
  'GET /api/projects/{project_id}/batches/{batch_id}/stages': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/stages': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}': 'viewer',
  'PATCH /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}': 'coordinator',
  'DELETE /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}/skip': 'coordinator',
  'GET /api/review-links': 'coordinator',
  'POST /api/review-links': 'coordinator',
  'GET /api/review-links/{review_link_id}': 'coordinator',
  'PATCH /api/review-links/{review_link_id}': 'coordinator',
  'DELETE /api/review-links/{review_link_id}': 'coordinator',
  'GET /api/review-links/{review_link_id}/decisions': 'coordinator',
  'GET /api/review-links/{review_link_id}/erasure': 'administrator',
  'POST /api/review-links/{review_link_id}/erasure': 'administrator',
  'GET /api/public/review-links/{token}': 'open',
  'POST /api/public/review-links/{token}/unlock': 'open',
  'GET /api/public/review-links/{token}/live': 'open',
  'GET /api/public/review-links/{token}/files': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/picture': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/tiles': 'open',
  'POST /api/public/review-links/{token}/files/{file_id}/tiles': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/tiles/{level}/{column}/{row}': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/media': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/playback/media': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/playback/pieces/{pieces_id}/{number}': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/download': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/banner': 'open',
  'POST /api/public/review-links/{token}/files/{file_id}/decision': 'open',
  'POST /api/public/review-links/{token}/files/{file_id}/comments': 'open',
  'PATCH /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}': 'open',
  'DELETE /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}': 'open',
  'POST /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}/attachments': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}': 'open',
  'DELETE /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}': 'open',
  'GET /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}/picture':
    'open',
  'GET /api/pre-qc/needs-eyes': 'viewer',
  'GET /api/pre-qc/results': 'viewer',
  'GET /api/pre-qc/results/{result_id}': 'viewer',
  'GET /api/pre-qc/results/{result_id}/evidence/{number}': 'viewer',
  'GET /api/pre-qc/results/{result_id}/comparison': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/attempts': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/accept': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/refuse': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/download': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/preview': 'viewer',
  'POST /api/pre-qc/results/{result_id}/rerun': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/pre-qc/rerun': 'operator',
  'POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive': 'operator',
  'DELETE /api/pre-qc/results/{result_id}/checks/{check_id}/waive': 'operator',
  'POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive/confirm': 'coordinator',
  'GET /api/projects/{project_id}/waivers': 'viewer',
  'GET /api/projects/{project_id}/scoped-waivers': 'viewer',
  'DELETE /api/projects/{project_id}/scoped-waivers/{waiver_id}': 'coordinator',
  'POST /api/projects/{project_id}/scoped-waivers/{waiver_id}/confirm': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/waivers': 'operator',
  'POST /api/projects/{project_id}/batches/{batch_id}/waivers/preview': 'viewer',
  'GET /api/pre-qc/analytics/agencies': 'coordinator',
  'GET /api/pre-qc/analytics/agencies/csv': 'coordinator',
  'GET /api/pre-qc/analytics/overruled-checks': 'coordinator',
  'GET /api/agencies': 'viewer',
  'GET /api/agency-storage': 'administrator',
  'POST /api/agencies': 'administrator',
  'GET /api/agencies/{agency_id}': 'viewer',
  'PATCH /api/agencies/{agency_id}': 'administrator',
  // A scorecard counts every project of the agency, so it is for those who see every project.
  'GET /api/agencies/{agency_id}/scorecard-links': 'administrator',
  'POST /api/agencies/{agency_id}/scorecard-links': 'administrator',
  'DELETE /api/scorecard-links/{scorecard_link_id}': 'administrator',
  'GET /api/public/scorecards/{token}': 'open',
  'GET /api/campaigns': 'viewer',
  'POST /api/campaigns': 'administrator',
  'GET /api/campaigns/{campaign_id}': 'viewer',
  'PATCH /api/campaigns/{campaign_id}': 'administrator',
  'GET /api/destinations': 'viewer',
  'POST /api/destinations': 'administrator',
  'GET /api/destinations/{destination_id}': 'viewer',
  'DELETE /api/destinations/{destination_id}': 'administrator',
  'GET /api/destinations/{destination_id}/changes': 'viewer',
  'POST /api/destinations/dry-run': 'administrator',
  'GET /api/projects/{project_id}/batches/{batch_id}/destinations': 'viewer',
  'GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/destinations': 'viewer',
  'GET /api/media-categories': 'viewer',
  'POST /api/media-categories': 'administrator',
  'GET /api/media-categories/{media_category_id}': 'viewer',
  'PATCH /api/media-categories/{media_category_id}': 'administrator',
  'GET /api/public/setup/{token}': 'open',
  'POST /api/public/setup/{token}': 'open',
  'GET /api/users': 'viewer',
  'POST /api/users': 'administrator',
  'GET /api/users/me': 'own',
  'POST /api/users/me/password': 'own',
  'GET /api/users/{user_id}': 'viewer',
  'PATCH /api/users/{user_id}': 'administrator',
  'POST /api/users/{user_id}/reset-link': 'administrator',
  'GET /api/users/{user_id}/erasure': 'administrator',
  'POST /api/users/{user_id}/erasure': 'administrator',
  'POST /api/public/password-resets': 'open',
  'POST /api/public/password-resets/use': 'open',
  'GET /api/tokens': 'own',
  // By a session only: a token cannot make tokens (tokens.test.ts).
  'POST /api/tokens': 'own',
  'GET /api/tokens/{token_id}': 'own',
  'DELETE /api/tokens/{token_id}': 'own',
  'GET /api/notifications': 'own',
  'PATCH /api/notifications/{notification_id}': 'own',
  'POST /api/notifications/{notification_id}/read': 'own',
  'POST /api/notifications/read-all': 'own',
  'GET /api/notifications/mail-preferences': 'own',
  'PUT /api/notifications/mail-preferences': 'own',
  'GET /api/live': 'own',
  'GET /api/projects/{project_id}/batches/{batch_id}/certificate': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/certificate': 'operator',
  'GET /api/projects/{project_id}/batches/{batch_id}/certificate/pdf': 'viewer',
  'POST /api/public/verify': 'open',
  'GET /api/public/certificates/{certificate_id}': 'open',
  'GET /api/audit-events': 'administrator',
  'GET /api/audit-events/verification': 'administrator',
  'GET /api/retention-rules': 'administrator',
  'PUT /api/retention-rules': 'administrator',
  'GET /api/retention-runs': 'administrator',
  'POST /api/retention-runs': 'administrator',
  'GET /api/retention-runs/{run_id}': 'administrator',
  'POST /api/retention-runs/{run_id}/start': 'administrator',
  'GET /api/saved-views': 'viewer',
  'POST /api/saved-views': 'viewer',
  'GET /api/saved-views/{view_id}': 'own',
  'PATCH /api/saved-views/{view_id}': 'own',
  'DELETE /api/saved-views/{view_id}': 'own',
  'GET /api/legal-holds': 'administrator',
  'POST /api/legal-holds': 'administrator',
  'GET /api/legal-holds/{hold_id}': 'administrator',
  'POST /api/legal-holds/{hold_id}/lift': 'administrator',
  'GET /api/service-status': 'administrator',
  'POST /api/jobs/{job_id}/retry': 'administrator',
  'GET /api/delivery-targets': 'administrator',
  'POST /api/delivery-targets': 'administrator',
  'GET /api/delivery-targets/{delivery_target_id}': 'administrator',
  'PATCH /api/delivery-targets/{delivery_target_id}': 'administrator',
  'DELETE /api/delivery-targets/{delivery_target_id}': 'administrator',
  'POST /api/delivery-targets/{delivery_target_id}/test': 'administrator',
  'GET /api/projects/{project_id}/batches/{batch_id}/delivery-choices': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/deliverable-files': 'coordinator',
  'GET /api/share-links': 'coordinator',
  'POST /api/share-links': 'coordinator',
  'GET /api/share-links/{share_link_id}': 'coordinator',
  'DELETE /api/share-links/{share_link_id}': 'coordinator',
  'PATCH /api/share-links/{share_link_id}': 'coordinator',
  'GET /api/share-links/{share_link_id}/erasure': 'administrator',
  'POST /api/share-links/{share_link_id}/erasure': 'administrator',
  'GET /api/public/share-links/{token}': 'open',
  'POST /api/public/share-links/{token}/unlock': 'open',
  'GET /api/public/share-links/{token}/live': 'open',
  'GET /api/public/share-links/{token}/files': 'open',
  'GET /api/public/share-links/{token}/archive': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/thumbnail': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/preview': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/tiles': 'open',
  'POST /api/public/share-links/{token}/files/{file_id}/tiles': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/tiles/{level}/{column}/{row}': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/media': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/playback/media': 'open',
  'GET /api/public/share-links/{token}/files/{file_id}/download': 'open',
  'GET /api/projects/{project_id}/batches/{batch_id}/deliveries': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/deliveries': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/deliveries/preview': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}': 'viewer',
  'POST /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}/retry': 'coordinator',
  'POST /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}/cancel': 'coordinator',
  'GET /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}/receipt': 'viewer',
  'GET /api/webhooks': 'administrator',
  'POST /api/webhooks': 'administrator',
  'GET /api/webhooks/{webhook_id}': 'administrator',
  'PATCH /api/webhooks/{webhook_id}': 'administrator',
  'DELETE /api/webhooks/{webhook_id}': 'administrator',
  'POST /api/webhooks/{webhook_id}/rotate-secret': 'administrator',
  'POST /api/webhooks/{webhook_id}/ping': 'administrator',
  'GET /api/webhooks/{webhook_id}/deliveries': 'administrator',
  'GET /api/webhooks/{webhook_id}/deliveries/{delivery_id}': 'administrator',
  'POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend': 'administrator',
  'GET /api/health/live': 'open',
  'GET /api/health/ready': 'open',
  'GET /api/metrics': 'open',
  'GET /api/openapi.json': 'open',
}

const described = INTERFACE.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, served]) => Object.keys(served).map((method) => `${method} ${path}`)),
)
const cases = Object.entries(LEAST).map(([call, least]) => {
  const [method = '', path = ''] = call.split(' ')
  return { call, method, path, least }
})
const guarded = cases.filter(({ least }) => least !== 'open')

type Scene = Awaited<ReturnType<typeof scene>>

/** One of everything; `user` is a member of its project and owns what is personal. */
async function makeFailedJob() {
  const [job] = await testSql<{ id: string }[]>`select id from graphile_worker.add_job('send_mail', '{}')`
  await testSql`update graphile_worker._private_jobs set attempts = 1, last_error = 'no server' where id = ${job?.id ?? ''}`
  return String(job?.id)
}

async function makePlayed(batch: Parameters<typeof makeFile>[0]) {
  const file = await makeFile(batch, { kind: 'video', mediaType: 'video/x-matroska' })
  const pair = { channels: [{ track: 1, name: 'L' }], sha256: '0'.repeat(64), size: 1000 }
  await makePlaybackProxy(file, { pairs: [pair, pair] })
  return file
}

/** One whose copy is being made, of which pieces are there. */
async function makeGrowing(batch: Parameters<typeof makeFile>[0]) {
  const file = await makeFile(batch, { kind: 'video', mediaType: 'video/x-matroska' })
  const pieces_id = newId()
  await makePlaybackProxy(file, {
    status: 'running',
    piecesId: pieces_id,
    pieceStarts: [0, 1],
    piecesEnd: 3,
    piecesWhole: 60,
  })
  return { growing_id: file.id, pieces_id }
}

async function makeTiled(batch: Parameters<typeof makeFile>[0]) {
  const file = await makeFile(batch, { media: { kind: 'image', width: 3000, height: 2000 } })
  await makeImageTiles(file)
  return file
}

async function scene(user: UserRow) {
  const operator = await makeUser({ role: 'operator' })
  const other = await makeUser()
  const project = await makeProject({ members: [user, operator, other] })
  const batch = await makeBatch({ projectId: project.id, operatorId: operator.id })
  const file = await makeFile(batch, { previews: { thumbnail: true, preview: true } })
  const resultId = randomUUID()
  const result = await makeResult(file, {
    id: resultId,
    checks: [
      {
        check_id: 'blank_check',
        label: 'Blank',
        status: 'fail',
        severity: 'advisory',
        confidence: 1,
        details: '',
        evidence: [{ kind: 'image', url: evidencePath(resultId, 1) }],
      },
    ],
  })
  const campaign = await makeCampaign()
  const comment = await makeComment(file, { createdBy: user.id })
  const place = { project_id: project.id, batch_id: batch.id }
  const upload = await makeDirectUpload({ ...user, type: 'user', scope: 'write', via: 'token' }, place)
  return {
    project_id: project.id,
    batch_id: batch.id,
    file_id: file.id,
    result_id: result.id,
    check_id: 'blank_check',
    waiver_id: (await makeScopedWaiver(project)).id,
    number: '1',
    comment_id: comment.id,
    attachment_id: (await makeAttachment(comment)).id,
    upload_id: upload.id,
    archive_id: (await makeFile(batch, { kind: 'archive', media: { entryPoints: ['index.html'] } })).id,
    played_id: (await makePlayed(batch)).id,
    ...(await makeGrowing(batch)),
    tiled_id: (await makeTiled(batch)).id,
    level: '0',
    column: '0',
    row: '0',
    repaired_id: (await makeRepair(await makeFile(batch))).fileId,
    link_id: (await makeUploadLink(batch)).id,
    review_link_id: (await makeReviewLink(batch)).id,
    stage_id: (await makeReviewStage(batch)).id,
    estimate_id: (await makeEstimate({ projectId: project.id, createdBy: operator.id })).id,
    campaign_id: campaign.id,
    agency_id: (await makeAgency()).id,
    scorecard_link_id: (await makeScorecardLink()).id,
    media_category_id: (await makeMediaCategory()).id,
    destination_id: (await makeDestination()).key,
    user_id: other.id,
    token_id: (await makeToken(user)).id,
    notification_id: (await makeNotification(user)).id,
    job_id: await makeFailedJob(),
    view_id: (await makeSavedView(user)).id,
    hold_id: (await makeLegalHold()).id,
    run_id: (await makeRetentionRun()).id,
    delivery_target_id: (await makeDeliveryTarget()).id,
    batch_delivery_id: (await makeFileDelivery(batch)).id,
    share_link_id: (await makeShareLink(await makeFile(batch, { decision: 'approved' }))).id,
    ...(await makeDelivery().then(({ id, webhookId }) => ({ webhook_id: webhookId, delivery_id: id }))),
  }
}

/** Sends what is well-formed enough to get past the question whether the caller may. */
async function call({ method, path }: (typeof cases)[number], given: Scene, token?: string) {
  const route: Record<string, Handler> = await import(routes[path] ?? '')
  const params = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, given[name as keyof Scene]]),
  )
  if (path.endsWith('/banner')) params.file_id = given.archive_id
  if (/\/playback(\/media|\/pairs\/\{number\})?$/.test(path)) params.file_id = given.played_id
  if (path.includes('/playback/pieces/')) params.file_id = given.growing_id
  if (path.includes('/tiles')) params.file_id = given.tiled_id
  if (/\/repair\/(download|preview)$/.test(path)) params.file_id = given.repaired_id
  const query =
    path === '/api/upload-links' || path === '/api/pre-qc/results'
      ? `?batchId=${given.batch_id}`
      : path === '/api/search'
        ? '?q=x'
        : path === '/api/review-links' || path === '/api/share-links'
          ? `?batch_id=${given.batch_id}`
          : path === '/api/project-progress'
            ? `?project_ids=${given.project_id}`
            : path === '/api/saved-views'
              ? '?place=files'
              : path.endsWith('/export')
                ? '?format=csv'
                : ''
  const url = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '') + (method === 'GET' ? query : '')
  const headers = path.endsWith('/tus') ? { 'tus-resumable': '1.0.0' } : undefined
  const bodies: Record<string, object> = {
    'POST /api/upload-links': { batch_id: given.batch_id },
    'POST /api/review-links': { batch_id: given.batch_id, name: 'A client', party: 'client' },
    'POST /api/share-links': { batch_id: given.batch_id, name: 'A publisher' },
    'POST /api/tokens': { name: 'Made by a token' },
    'POST /api/cost-estimates': {
      project_id: given.project_id,
      title: 'Estimate',
      line_items: [{ description: 'Work', quantity: 1, unit_price: 1 }],
    },
  }
  const body = method === 'GET' ? undefined : (bodies[`${method} ${path}`] ?? {})
  const handler = route[method]
  if (!handler) throw new Error(`${path} has no ${method}.`)
  const response = await send(handler, method, url, { token, body, params, headers })
  const text = path === '/api/live' && response.ok ? '' : await response.text()
  await (response.bodyUsed ? undefined : response.body?.cancel())
  return { status: response.status, text }
}

/** A user of this role, with a scene of theirs. */
async function placed(role: Role, scope: 'read' | 'write' = 'write') {
  const user = await makeUser({ role })
  const { token } = await makeToken(user, { scope })
  return { token, given: await scene(user) }
}

/** Made once, for all calls that only read or are refused. */
const shared = {} as Record<Role | 'reader', Awaited<ReturnType<typeof placed>>> & { foreign: Scene }
beforeAll(async () => {
  for (const role of ROLES) shared[role] = await placed(role)
  shared.reader = await placed('administrator', 'read')
  shared.foreign = await scene(await makeUser())
})

/** A problem without what differs from request to request. */
const essence = (text: string) => {
  const { code, title, detail } = JSON.parse(text)
  return { code, title, detail: detail.replace(/[0-9a-f-]{36}/g, 'ID') }
}

describe('rights', () => {
  it('are given for every method of every path', () => {
    expect(Object.keys(LEAST).sort()).toEqual(described.sort())
  })

  it.each(guarded)('$call is not for strangers', async (it) => {
    const { status } = await call(it, shared.foreign)
    expect(status).toBe(401)
  })

  it.each(guarded)('$call is for $least and higher', async (it) => {
    const least = it.least === 'own' ? 'viewer' : (it.least as Role)
    const below = ROLES[ROLES.indexOf(least) - 1]
    if (below) {
      const { token, given } = shared[below]
      expect((await call(it, given, token)).status).toBe(403)
    }
    const { token, given } = it.method === 'GET' ? shared[least] : await placed(least)
    const { status, text } = await call(it, given, token)
    if (it.call === 'POST /api/tokens') expect(text).toContain('cannot make tokens')
    else expect([401, 403, 404]).not.toContain(status)
  })

  // They store nothing: their input is too long for an address.
  const reading = [
    'POST /api/destinations/dry-run',
    'POST /api/projects/{project_id}/batches/table/check',
    'POST /api/projects/{project_id}/batches/{batch_id}/files/check',
    'POST /api/projects/{project_id}/batches/{batch_id}/files/archive',
    'POST /api/projects/{project_id}/batches/{batch_id}/files/archive/check',
    'POST /api/projects/{project_id}/batches/{batch_id}/waivers/preview',
    'POST /api/projects/{project_id}/batches/{batch_id}/deliveries/preview',
  ]
  const writing = guarded.filter((it) => it.method !== 'GET' && !reading.includes(it.call))
  it.each(writing)('$call is not for tokens that only read', async (it) => {
    const { token, given } = shared.reader
    expect((await call(it, given, token)).status).toBe(403)
  })

  const hidden = guarded.filter(
    ({ path }) =>
      /\{(project_id|link_id|review_link_id|share_link_id|estimate_id|result_id|token_id|notification_id|view_id)\}/.test(
        path,
      ) || ['/api/upload-links', '/api/review-links', '/api/share-links', '/api/pre-qc/results'].includes(path),
  )

  it.each(hidden)('$call returns the same for what is another user’s and for what never was', async (it) => {
    const given = shared.foreign
    const { token } = shared.coordinator
    const foreign = await call(it, given, token)
    const nothing = Object.fromEntries(
      Object.keys(given).map((name) => [name, name === 'check_id' ? 'x_check' : randomUUID()]),
    ) as Scene
    const missing = await call(it, nothing, token)
    expect([foreign.status, missing.status]).toEqual([404, 404])
    expect(essence(foreign.text)).toEqual(essence(missing.text))
  })
})
