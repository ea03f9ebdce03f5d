/**
 * Every word of the product, once. Nothing here imports anything.
 * Codes are stored and sent as they stand; labels are what people read.
 */

export const ROLES = ['viewer', 'operator', 'coordinator', 'administrator'] as const
/** Each role has all rights of those before it. */
export type Role = (typeof ROLES)[number]

export const TOKEN_SCOPES = ['read', 'write'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const PROJECT_STATUSES = ['active', 'on_hold', 'completed', 'cancelled', 'archived'] as const
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** Why a user is a member of a project. */
export const MEMBER_REASONS = ['creator', 'operator', 'coordinator', 'added'] as const

export const BATCH_STATUSES = ['open', 'in_review', 'awaiting_resupply', 'approved', 'cancelled'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]
/** Those that have a column on the board; cancelled batches are no work. */
export const BOARD_STATUSES = ['open', 'in_review', 'awaiting_resupply', 'approved'] as const

/** `quick`: video and audio by their packets and key frames only; what needs every frame or sample is skipped and says so. */
export const PRE_QC_DEPTHS = ['full', 'quick'] as const
export type PreQcDepth = (typeof PRE_QC_DEPTHS)[number]

export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'archive', 'other'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** Where files are delivered to, by the kind of publisher. */
export const DESTINATION_FAMILIES = [
  'broadcast',
  'streaming',
  'social',
  'display',
  'print',
  'audio',
  'store',
  'out_of_home',
  'web',
] as const

/** Whether a file may go to a destination; `fits_after_repair`: a machine can fix what is missing; `unknown`: something it depends on was not measured, or not surely enough. */
export const DESTINATION_VERDICTS = ['fits', 'fits_after_repair', 'does_not_fit', 'unknown'] as const
export type DestinationVerdict = (typeof DESTINATION_VERDICTS)[number]

/** What may end the time for which the bytes and previews of a file are kept. */
export const RETENTION_STATUSES = ['completed', 'cancelled', 'archived', 'rejected', 'replaced'] as const
export type RetentionStatus = (typeof RETENTION_STATUSES)[number]

/** `outdated`: another preview was made since, or what it showed changed; it can no longer be started. */
export const RETENTION_RUN_STATUSES = ['preview', 'outdated', 'running', 'completed'] as const
export type RetentionRunStatus = (typeof RETENTION_RUN_STATUSES)[number]

export const REVIEW_DECISIONS = ['pending', 'approved', 'rejected'] as const
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number]

/** Why a file was rejected: what can be counted, beside the comment that can be read. */
export const REJECTION_REASONS = [
  'wrong_size',
  'wrong_format',
  'wrong_content',
  'text_error',
  'brand_guidelines',
  'legal',
  'picture_quality',
  'colour',
  'sound',
  'timing',
  'click_tag',
  'other',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** Why a finding does not count: what can be counted, beside the sentence that can be read. */
export const WAIVER_REASONS = ['agreed', 'intended', 'not_perceptible', 'wrong_finding', 'no_time', 'other'] as const
export type WaiverReason = (typeof WAIVER_REASONS)[number]
/** What a waiver covers: one file as it is, or every file of a batch or project, later ones included. */
export const WAIVER_SCOPES = ['file', 'batch', 'project'] as const
export type WaiverScope = (typeof WAIVER_SCOPES)[number]

/** Lists that views are saved of: the files of a batch, projects, batches of all projects. */
export const SAVED_VIEW_PLACES = ['files', 'projects', 'batches'] as const
export type SavedViewPlace = (typeof SAVED_VIEW_PLACES)[number]

/** Who has to act on a batch next: those who send files, or those who validate them. */
export const HOLDERS = ['agency', 'service'] as const
export type Holder = (typeof HOLDERS)[number]

export const DUE_STATES = ['on_track', 'at_risk', 'late', 'met'] as const
export type DueState = (typeof DUE_STATES)[number]

/** What a person has to do about a batch of theirs: decide its files, hand it in, or wait for another person. */
export const WORK_TASKS = ['review', 'submit', 'wait'] as const
export type WorkTask = (typeof WORK_TASKS)[number]

/** The parts My work has: what is late, and the rest by what has to be done. */
export const WORK_PARTS = ['late', ...WORK_TASKS] as const
export type WorkPart = (typeof WORK_PARTS)[number]

/** What can be found: by its name; `comment`, `text` (read in an image, a video or a page) and `finding`: a file by what is said of it. */
export const SEARCH_KINDS = [
  'project',
  'batch',
  'file',
  'estimate',
  'comment',
  'text',
  'finding',
  'agency',
  'person',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** How well a name fits what was searched for: it is that, begins with it, has it in it, has all its words, is one or two keys off. */
export const SEARCH_MATCHES = ['exact', 'beginning', 'part', 'words', 'close'] as const
export type SearchMatch = (typeof SEARCH_MATCHES)[number]

const COMMENT_ANCHORS = ['point', 'region', 'page', 'time'] as const
export type CommentAnchorKind = (typeof COMMENT_ANCHORS)[number]

/** What a comment is drawn with. */
const SHAPES = ['stroke', 'arrow', 'box', 'text'] as const
export type ShapeKind = (typeof SHAPES)[number]
export const SHAPE_COLOURS = ['red', 'yellow', 'green', 'blue', 'black', 'white'] as const
export type ShapeColour = (typeof SHAPE_COLOURS)[number]
/** What one comment may be drawn with. */
export const MOST_SHAPES = 50
export const MOST_POINTS = 2000
export const LONGEST_LABEL = 120
/** Files that one comment may carry, and bytes of one. */
export const MOST_ATTACHMENTS = 5
export const LARGEST_ATTACHMENT = 25_000_000

/** `pending`: accepted on a complete walk of its packets, the rest of the decode is still to come. */
export const INTEGRITY_STATES = ['sound', 'pending', 'quarantined'] as const
export type IntegrityState = (typeof INTEGRITY_STATES)[number]

export const LINK_STATUSES = ['active', 'expired', 'used_up', 'deactivated'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** Who is asked for their word from outside of the team. */
export const REVIEW_PARTIES = ['client', 'legal', 'brand', 'partner'] as const
export type ReviewParty = (typeof REVIEW_PARTIES)[number]

/** Who is asked at a stage of a review: the team itself, or one of the parties. */
export const STAGE_PARTIES = ['internal', ...REVIEW_PARTIES] as const
export type StageParty = (typeof STAGE_PARTIES)[number]

/** Whether all who take part in a stage must approve a file, or any one of them. */
export const STAGE_NEEDS = ['all', 'any'] as const
export type StageNeed = (typeof STAGE_NEEDS)[number]

/** `waiting`: for the stages before it. */
export const STAGE_STATES = ['waiting', 'open', 'done', 'skipped', 'withdrawn'] as const
export type StageState = (typeof STAGE_STATES)[number]

export const SOURCE_TYPES = ['user', 'upload_link'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** Uploads that go to the storage itself; `checking`: a worker validates what arrived. */
export const UPLOAD_STATES = ['receiving', 'checking', 'accepted', 'refused', 'cancelled'] as const
export type UploadState = (typeof UPLOAD_STATES)[number]

export const RESULT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const
export type ResultStatus = (typeof RESULT_STATUSES)[number]

export const RESULT_SUMMARIES = ['pass', 'warning', 'fail', 'not_applicable'] as const
export type ResultSummary = (typeof RESULT_SUMMARIES)[number]

export const CHECK_STATUSES = ['pass', 'warning', 'fail', 'skipped', 'error', 'waived'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

export const CHECK_SEVERITIES = ['blocking', 'advisory'] as const

/** `proposed`: the repaired copy is there, checked, and waits for a person to take or refuse it. */
export const REPAIR_STATUSES = ['queued', 'running', 'proposed', 'failed', 'accepted', 'refused'] as const
export type RepairStatus = (typeof REPAIR_STATUSES)[number]

/** Of the copy that browsers play of a video or audio file they cannot play itself. */
export const PLAYBACK_STATUSES = ['queued', 'running', 'ready', 'failed'] as const
export type PlaybackStatus = (typeof PLAYBACK_STATUSES)[number]

export const BATCH_PRE_QC_STATUSES = ['disabled', 'idle', 'queued', 'running', 'completed'] as const
export type BatchPreQcStatus = (typeof BATCH_PRE_QC_STATUSES)[number]

export const STORED_ESTIMATE_STATUSES = [
  'draft',
  'awaiting_internal_approval',
  'awaiting_client_approval',
  'approved',
  'rejected',
] as const
export type StoredEstimateStatus = (typeof STORED_ESTIMATE_STATUSES)[number]

export const ESTIMATE_STATUSES = [...STORED_ESTIMATE_STATUSES, 'expired'] as const
export type EstimateStatus = (typeof ESTIMATE_STATUSES)[number]

/** Who decides about an estimate: a user of the service, or the client it is for. */
export const ESTIMATE_SIDES = ['internal', 'client'] as const
export type EstimateSide = (typeof ESTIMATE_SIDES)[number]

export const ESTIMATE_DECISIONS = ['submitted', 'approved', 'rejected', 'undone', 'revised', 'discarded'] as const
export type EstimateDecision = (typeof ESTIMATE_DECISIONS)[number]

/** What a line may be priced by, besides anything else: what the service counts by itself. */
export const LINE_UNITS = ['file', 'round'] as const
export type LineUnit = (typeof LINE_UNITS)[number]

export const VIOLATION_RULES = [
  'naming_convention',
  'duplicate',
  'integrity',
  'media_type',
  'size',
  'resupply',
] as const
export type ViolationRule = (typeof VIOLATION_RULES)[number]

/** What other systems and people may be notified of. */
export const EVENT_TYPES = [
  'file.received',
  'upload.rejected',
  'batch.submitted',
  'pre_qc.completed',
  'batch.review_completed',
  'comment.added',
  'comment.mentioned',
  'comment.resolved',
  'comment.reopened',
  'estimate.submitted',
  'estimate.step_approved',
  'estimate.approved',
  'estimate.rejected',
  'upload_link.created',
  'upload_link.deactivated',
  'review_link.created',
  'review_link.deactivated',
  'review_link.decided',
  'review_stage.completed',
  'review_stage.due',
  'delivery.completed',
  'delivery.failed',
  'share_link.created',
  'share_link.deactivated',
] as const

/** What is recorded on the audit trail besides. */
export const AUDIT_TYPES = [
  'project.created',
  'project.updated',
  'member.added',
  'member.removed',
  'batch.created',
  'batch.updated',
  'batch.cancelled',
  'batch.resupplied',
  'manifest.replaced',
  'file.deleted',
  'file.moved',
  'file.reviewed',
  'file.review_undone',
  'comment.changed',
  'comment.deleted',
  'comment.attached',
  'comment.detached',
  'file.quarantined',
  'upload_link.updated',
  'upload_link.opened',
  'mail.sent',
  'review_link.updated',
  'review_stage.created',
  'review_stage.updated',
  'review_stage.skipped',
  'review_stage.withdrawn',
  'review_link.opened',
  'share_link.updated',
  'review_link.downloaded',
  'pre_qc.rerun',
  'pre_qc.check_waived',
  'pre_qc.waiver_proposed',
  'pre_qc.waiver_withdrawn',
  'pre_qc.waiver_expired',
  'repair.requested',
  'repair.proposed',
  'repair.failed',
  'repair.accepted',
  'repair.refused',
  'user.created',
  'user.updated',
  'user.reset_link_created',
  'user.erased',
  'estimate.client_erased',
  'review_link.guest_erased',
  'share_link.receiver_erased',
  'token.created',
  'token.revoked',
  'agency.created',
  'agency.updated',
  'agency.exported',
  'campaign.created',
  'campaign.updated',
  'media_category.created',
  'media_category.updated',
  'destination.imported',
  'destination.withdrawn',
  'settings.updated',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.deleted',
  'delivery_target.created',
  'delivery_target.updated',
  'delivery_target.tested',
  'delivery_target.deleted',
  'delivery.requested',
  'delivery.retried',
  'delivery.cancelled',
  'share_link.opened',
  'share_link.downloaded',
  'job.retried',
  'certificate.issued',
  'scorecard_link.created',
  'scorecard_link.deactivated',
  'estimate.created',
  'estimate.proposed',
  'estimate.updated',
  'estimate.deleted',
  'estimate.revised',
  'estimate.revision_discarded',
  'estimate.decision_undone',
  'estimate.link_revoked',
  'legal_hold.set',
  'legal_hold.lifted',
  'retention.updated',
  'retention.run_started',
  'retention.run_completed',
  'retention.removed',
  'service.repaired',
  'service.restored',
] as const

export const ACTIVITY_KINDS = [
  'upload',
  'refusal',
  'check',
  'decision',
  'comment',
  'link',
  'mail',
  'delivery',
  'batch',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** Which events are shown of a batch, by what they are about. */
export const ACTIVITY_TYPES: Record<ActivityKind, EventType[]> = {
  upload: ['file.received', 'batch.resupplied', 'file.moved', 'file.deleted'],
  refusal: ['upload.rejected', 'file.quarantined'],
  check: [
    'pre_qc.completed',
    'pre_qc.rerun',
    'pre_qc.check_waived',
    'pre_qc.waiver_proposed',
    'pre_qc.waiver_withdrawn',
    'pre_qc.waiver_expired',
    'repair.proposed',
    'repair.failed',
    'repair.accepted',
    'repair.refused',
  ],
  decision: [
    'file.reviewed',
    'file.review_undone',
    'batch.review_completed',
    'review_link.decided',
    'review_stage.completed',
    'review_stage.skipped',
    'review_stage.withdrawn',
  ],
  comment: ['comment.added', 'comment.resolved', 'comment.reopened'],
  link: [
    'upload_link.created',
    'upload_link.updated',
    'upload_link.deactivated',
    'upload_link.opened',
    'review_link.created',
    'review_link.updated',
    'review_link.deactivated',
    'review_link.opened',
    'review_link.downloaded',
  ],
  mail: ['mail.sent'],
  delivery: [
    'delivery.requested',
    'delivery.completed',
    'delivery.failed',
    'delivery.retried',
    'delivery.cancelled',
    'share_link.created',
    'share_link.updated',
    'share_link.deactivated',
    'share_link.opened',
    'share_link.downloaded',
  ],
  batch: [
    'batch.created',
    'batch.updated',
    'batch.submitted',
    'batch.cancelled',
    'manifest.replaced',
    'certificate.issued',
  ],
}

/** What the files of a batch can be ordered by. */
export const FILE_ORDERS = ['newest', 'name', 'size', 'duration', 'version', 'verdict', 'decision'] as const
export type FileOrder = (typeof FILE_ORDERS)[number]

/** Where a notification is: `returned` is in the inbox again after it was snoozed, and not read since. */
export const NOTIFICATION_BOXES = ['inbox', 'returned', 'snoozed', 'archived'] as const

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Ways to where approved files are delivered. */
export const TARGET_KINDS = ['s3', 'sftp', 'webdav', 'http_put'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** How a file is verified once it was sent: by its size, by a checksum the target states (else by reading it back), by reading it back. */
export const VERIFICATIONS = ['size', 'checksum', 'read_back'] as const
export type Verification = (typeof VERIFICATIONS)[number]

/** Of a delivery of files, and of each file in it. */
export const TRANSFER_STATUSES = ['queued', 'sending', 'delivered', 'failed', 'cancelled'] as const
export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

export const MAIL_FREQUENCIES = ['immediate', 'hourly', 'daily', 'none'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]

export const MAIL_STATUSES = ['pending', 'sent', 'failed'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

export type EventType = (typeof EVENT_TYPES)[number] | (typeof AUDIT_TYPES)[number]

export const LABELS = {
  role: { viewer: 'Viewer', operator: 'Operator', coordinator: 'Coordinator', administrator: 'Administrator' },
  projectStatus: {
    active: 'Active',
    on_hold: 'On hold',
    completed: 'Completed',
    cancelled: 'Cancelled',
    archived: 'Archived',
  },
  estimateStatus: {
    draft: 'Draft',
    awaiting_internal_approval: 'Awaiting internal approval',
    awaiting_client_approval: 'Awaiting client approval',
    approved: 'Approved',
    rejected: 'Rejected',
    expired: 'Expired',
  },
  memberReason: {
    creator: 'Created the project',
    operator: 'Operator of a batch',
    coordinator: 'Coordinator of a batch',
    added: 'Added',
  },
  batchStatus: {
    open: 'Open',
    in_review: 'In review',
    awaiting_resupply: 'Awaiting resupply',
    approved: 'Approved',
    cancelled: 'Cancelled',
  },
  webhookStatus: { active: 'Active', disabled: 'Disabled' },
  deliveryStatus: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
  targetKind: { s3: 'S3 bucket', sftp: 'SFTP', webdav: 'WebDAV', http_put: 'HTTP PUT' },
  verification: {
    size: 'Size',
    checksum: 'Size and checksum',
    read_back: 'Size and the bytes read back',
  },
  transferStatus: {
    queued: 'Queued',
    sending: 'Sending',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  mailFrequency: { immediate: 'At once', hourly: 'Every hour', daily: 'Every day', none: 'Never' },
  stageParty: { internal: 'Internal', client: 'Client', legal: 'Legal', brand: 'Brand', partner: 'Partner' },
  stageState: { waiting: 'Waiting', open: 'Open', done: 'Done', skipped: 'Skipped', withdrawn: 'Withdrawn' },
  reviewParty: { client: 'Client', legal: 'Legal', brand: 'Brand', partner: 'Partner' },
  linkStatus: { active: 'Active', expired: 'Expired', used_up: 'Used up', deactivated: 'Deactivated' },
  retentionStatus: {
    completed: 'Project completed',
    cancelled: 'Project or batch cancelled',
    archived: 'Project archived',
    rejected: 'File rejected',
    replaced: 'File replaced by a newer version',
  },
  retentionRunStatus: { preview: 'Preview', outdated: 'Outdated', running: 'Running', completed: 'Completed' },
  reviewDecision: { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' },
  rejectionReason: {
    wrong_size: 'Wrong dimensions',
    wrong_format: 'Wrong file format',
    wrong_content: 'Wrong content',
    text_error: 'Text or spelling',
    brand_guidelines: 'Brand guidelines',
    legal: 'Legal or compliance',
    picture_quality: 'Image quality',
    colour: 'Colour',
    sound: 'Audio',
    timing: 'Length or timing',
    click_tag: 'Link or click tag',
    other: 'Something else',
  },
  waiverReason: {
    agreed: 'Agreed with the client',
    intended: 'It is intended',
    not_perceptible: 'It cannot be seen or heard',
    wrong_finding: 'The check is wrong',
    no_time: 'No time to fix it',
    other: 'Something else',
  },
  holder: { agency: 'With the agency', service: 'With us' },
  dueState: { on_track: 'On track', at_risk: 'At risk', late: 'Late', met: 'Met' },
  activityKind: {
    upload: 'Uploads',
    refusal: 'Refused uploads',
    check: 'Checks',
    decision: 'Decisions',
    comment: 'Comments',
    link: 'Links',
    mail: 'Mails',
    delivery: 'Deliveries',
    batch: 'The batch itself',
  },
  searchKind: {
    project: 'Projects',
    batch: 'Batches',
    file: 'Files',
    estimate: 'Estimates',
    comment: 'Comments',
    text: 'Text in files',
    finding: 'Findings',
    agency: 'Agencies',
    person: 'People',
  },
  workTask: { review: 'To review', submit: 'To submit', wait: 'Waiting' },
  resultStatus: { queued: 'Queued', running: 'Running', completed: 'Completed', failed: 'Failed' },
  resultSummary: { pass: 'Pass', warning: 'Warning', fail: 'Fail', not_applicable: 'Not applicable' },
  checkStatus: {
    pass: 'Pass',
    warning: 'Warning',
    fail: 'Fail',
    skipped: 'Skipped',
    error: 'Could not run',
    waived: 'Waived',
  },
  destinationFamily: {
    broadcast: 'Broadcast',
    streaming: 'Streaming',
    social: 'Social',
    display: 'Display',
    print: 'Print',
    audio: 'Audio and podcast',
    store: 'Stores',
    out_of_home: 'Out of home',
    web: 'Web',
  },
  destinationVerdict: {
    fits: 'Fits',
    fits_after_repair: 'Fits after repair',
    does_not_fit: 'Does not fit',
    unknown: 'Unknown',
  },
  repairStatus: {
    queued: 'Queued',
    running: 'Being repaired',
    proposed: 'Waits for a decision',
    failed: 'Failed',
    accepted: 'Accepted',
    refused: 'Refused',
  },
  mediaKind: {
    image: 'Image',
    video: 'Video',
    audio: 'Audio',
    document: 'Document',
    archive: 'HTML5 / archive',
    other: 'Other',
  },
} as const satisfies Record<string, Record<string, string>>

/** What stands where the name of a person did who was erased. */
export const ERASED_PERSON = 'Erased person'

/** An event as people read it: `batch.review_completed` is “Batch review completed”. */
export function eventLabel(type: string): string {
  const words = type.replaceAll(/[._]/g, ' ').replace(/pre qc/, 'Pre-QC')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Who has at least this role, as it is said: “coordinator or administrator” where only the highest is above. */
export function roleOrHigher(role: Role): string {
  const higher = ROLES.slice(ROLES.indexOf(role) + 1)
  return higher.length === 0 ? role : higher.length === 1 ? `${role} or ${higher[0]}` : `${role} or higher`
}
