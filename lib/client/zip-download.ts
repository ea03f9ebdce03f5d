import { ApiProblem } from './api'

const FRAME = 'zip-download'

/**
 * Has the browser save chosen files of a batch as one ZIP, as it arrives. It is asked for by a form, in a frame that is
 * not seen: the page stays as it is. A response that is no download ends up in the frame, and is passed to `refused`.
 */
export function downloadZip(
  batch: { project_id: string; batch_id: string },
  fileIds: readonly string[],
  refused: (problem: ApiProblem) => void,
) {
  document.getElementById(FRAME)?.remove()
  const frame = document.createElement('iframe')
  Object.assign(frame, { id: FRAME, name: FRAME, hidden: true, title: 'Download' })
  document.body.append(frame)
  // The empty page it begins with may be loaded at once or in a moment, and a download loads none.
  frame.addEventListener('load', () => {
    if (frame.contentDocument?.URL === 'about:blank') return
    refused(
      new ApiProblem({
        status: 0,
        code: 'unexpected',
        detail: 'The download did not begin. The files may have changed meanwhile; try again.',
      }),
    )
  })
  const form = document.createElement('form')
  Object.assign(form, {
    method: 'post',
    action: `/api/projects/${batch.project_id}/batches/${batch.batch_id}/files/archive`,
    target: FRAME,
    hidden: true,
  })
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'file_ids', value: fileIds.join(',') })
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}
