import type { ProblemCode } from './http-error'

/** What each code means and how to go on, for the page the problem documents point to. */
export const REMEDIES: Record<ProblemCode, string> = {
  invalid_json: 'The body could not be read as JSON in UTF-8. Check quotes, commas and the encoding.',
  invalid_multipart:
    'An upload needs a multipart/form-data body with exactly one file part named “file”, whole to its end.',
  invalid_query: 'A query parameter is unknown, given twice, or has a value that is not possible. `errors` names it.',
  unauthenticated:
    'Send “Authorization: Bearer gr_…”, or sign in. A token that expired or was revoked must be replaced.',
  forbidden:
    'You can see the resource, but your role or the scope of your token does not allow this. Ask an administrator.',
  csrf: 'A change with a browser session must come from a page of this service. Programs use an API token instead.',
  not_found: 'Nothing is there under this address, or you may not see it. Check the ids in the path.',
  method_not_allowed: 'This path exists but not with this method. `Allow` lists those that do.',
  unsupported_format: 'The export format is not offered. Ask for one of those named in `detail`.',
  invalid_state:
    'The action is not possible in the state the resource is in. `current` says which it is, `allowed` in which it is possible.',
  project_closed: 'The project is completed, cancelled or archived. Set its status to active to go on.',
  project_on_hold:
    'Uploads by link and submitting pause while the project is on hold. Set its status to active to go on.',
  legal_hold:
    'Nothing of a project under legal hold is deleted, and it stays with its agency. An administrator lifts the hold in Settings, Retention.',
  preview_outdated:
    'A run removes exactly what its preview showed, and that has changed. Make a new preview, read it, then start that one.',
  removed:
    'The bytes or previews of this file are no longer kept; its name, hash, verdicts and decisions are. `detail` says since when and by which rule.',
  operator_not_assigned: 'A batch needs an operator who reviews it. Set operator_id, then submit again.',
  approver_missing:
    'A step of the approval names a user who cannot take it. Name another user in Settings, Approval, then submit again.',
  batch_empty: 'A batch needs at least one file before it can be submitted.',
  member_needed:
    'The person is operator or coordinator of a running batch, or the last coordinator of the project. Name another user first.',
  integrity_unsettled:
    'Only a file that decoded to its end can be approved. Wait until its check has ended; reject a file in quarantine and ask for a new export.',
  idempotency_in_progress:
    'The first request with this Idempotency-Key is still being worked on. Ask again after `Retry-After`.',
  link_expired: 'The link’s time is over. Ask its sender for a new one.',
  link_used_up: 'All uses of the link are taken. Ask its sender for a new one.',
  link_deactivated: 'The link was switched off. Ask its sender for a new one.',
  stale: 'The resource changed since you read it. Read it again, then send your change with the new ETag.',
  file_too_large: 'The file is larger than the service takes at all. Send a smaller one.',
  body_too_large: 'A JSON request may not be that large. Split it.',
  unsupported_media_type: 'Send JSON as application/json, files as multipart/form-data.',
  range_not_satisfiable: 'The byte range lies outside the file. `Content-Range` gives its length.',
  validation_failed:
    'A field is missing, unknown or has a value that is not possible. `errors` has one sentence for each.',
  file_rejected:
    'The file was validated and refused; nothing of it is kept. `violations` has every reason and how to fix it.',
  protocol_unsupported: 'Resumable uploads speak tus 1.0.0. Send “Tus-Resumable: 1.0.0”.',
  upload_offset_conflict:
    'The piece does not continue where the upload stands. Ask for the offset with HEAD, then go on from there.',
  upload_gone: 'The resumable upload was finished, taken back or has expired. Begin a new one.',
  upload_locked: 'Another request is writing to this upload. Wait for it, then ask for the offset with HEAD.',
  checksum_mismatch: 'The piece arrived changed and was thrown away. Send it again.',
  idempotency_key_reused: 'An Idempotency-Key stands for one request. Use a new key for another body.',
  rate_limited: 'Too many requests in a short time. Wait for the seconds in `Retry-After`.',
  internal: 'A fault of the service. Send its operators the `request_id`; the logs hold it, too.',
  unavailable:
    'Database or storage cannot be reached at the moment. Nothing was changed; try again after `Retry-After`.',
}
