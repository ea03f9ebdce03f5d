import { expect, it, vi } from 'vitest'
import { ApiProblem } from './api'
import { listFormErrors, showProblem } from './form-errors'

it('lists the errors of nested fields with their paths', () => {
  expect(
    listFormErrors({
      title: { type: 'required', message: 'Give the estimate a title.' },
      line_items: [undefined, { quantity: { type: 'min', message: 'Quantity is 0.' } }],
      root: { server: { type: 'stale', message: 'Another user changed it.' } },
    } as never),
  ).toEqual([
    { path: 'title', message: 'Give the estimate a title.' },
    { path: 'line_items.1.quantity', message: 'Quantity is 0.' },
    { path: '', message: 'Another user changed it.' },
  ])
})

it('finds the error of a field that is called message', () => {
  const errors = { message: { type: 'required', message: 'Write a message.' } } as never
  expect(listFormErrors(errors)).toEqual([{ path: 'message', message: 'Write a message.' }])
})

it('puts each refusal at its field and what has no field on the form', () => {
  const setError = vi.fn()
  const form = { setError, getValues: () => ({ name: '', line_items: [{ quantity: '0' }] }) } as never
  showProblem(
    form,
    new ApiProblem({
      status: 422,
      code: 'validation_failed',
      detail: 'Two values are wrong.',
      errors: [
        { path: 'line_items.0.quantity', code: 'too_small', message: 'Quantity is 0.' },
        { path: 'agency_id', code: 'unknown', message: 'The agency is gone.' },
      ],
    }),
  )
  expect(setError.mock.calls).toEqual([
    ['line_items.0.quantity', { type: 'too_small', message: 'Quantity is 0.' }],
    ['root.server', { type: 'validation_failed', message: 'The agency is gone.' }],
  ])
})

it('shows the sentence of a problem without fields', () => {
  const setError = vi.fn()
  showProblem(
    { setError, getValues: () => ({}) } as never,
    new ApiProblem({ status: 409, code: 'stale', detail: 'Another user changed this project.' }),
  )
  expect(setError).toHaveBeenCalledExactlyOnceWith('root.server', {
    type: 'stale',
    message: 'Another user changed this project.',
  })
})
