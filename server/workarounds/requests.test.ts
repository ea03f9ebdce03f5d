import { expect, it } from 'vitest'
import { requestTarget } from './request-address.mjs'
import { dropBrokenRouterState } from './router-state.mjs'

const STATE = encodeURIComponent(JSON.stringify(['', { children: ['docs', {}] }]))

it.each([
  ['cannot be decoded', '%zz'],
  ['is no JSON', 'docs'],
  ['is not what a router writes', encodeURIComponent('{"a":1}')],
  ['is too long', encodeURIComponent(JSON.stringify(['x'.repeat(50_000), {}]))],
])('the state of a router that %s is left out', (_, state) => {
  const headers = { rsc: '1', 'next-router-state-tree': state }
  dropBrokenRouterState(headers)
  expect(headers).toEqual({ rsc: '1' })
})

it('the state of a real router stays, and nothing stays nothing', () => {
  const headers = { rsc: '1', 'next-router-state-tree': STATE }
  dropBrokenRouterState(headers)
  expect(headers).toEqual({ rsc: '1', 'next-router-state-tree': STATE })
  const none = {}
  dropBrokenRouterState(none)
  expect(none).toEqual({})
})

it.each([
  ['/api/projects?q=%zz', '/api/projects?q=%zz'],
  ['/u/%zz', '/u/%25zz'],
  ['//evil.test/x', '//evil.test/x'],
  ['http://evil.test/api/projects?q=1', '/api/projects?q=1'],
  ['HTTP://evil.test', '/'],
  ['*', null],
  ['http://[/', null],
  ['?x', null],
  ['file:///etc/passwd', null],
])('the target %s asks for %s', (target, path) => {
  expect(requestTarget(target)).toBe(path)
})
