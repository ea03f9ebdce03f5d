import { afterAll, describe, expect, test } from 'vitest'
import { makeProject, makeToken, makeUser } from '@/fixtures/factories'
import { closePrinter } from '@/lib/adapters/printer/printer'
import { readPdf } from '@/lib/pdf/testing'
import type { Handler } from './endpoint'
import { routes, send } from './testing'

/** What people and programs send by mistake, or on purpose, from the HTTP layer inwards. */

afterAll(closePrinter)

const ESTIMATES = '/api/cost-estimates'
const line = (more: object = {}) => ({ description: 'Banner', quantity: 2, unit_price: 50, ...more })

async function setUp() {
  const user = await makeUser({ role: 'coordinator' })
  const { token } = await makeToken(user)
  const project = await makeProject({ members: [user] })
  const ask = async (method: string, path: string, body?: unknown, params: Record<string, string> = {}, by = token) => {
    const [folder = '', query = ''] = path.split('?')
    const handlers: Record<string, Handler> = await import(routes[folder] ?? '')
    const handler = handlers[method]
    if (!handler) throw new Error(`${folder} has no ${method}.`)
    return send(handler, method, query ? `/?${query}` : '/', { params, token: by, body })
  }
  const create = (more: object = {}) =>
    ask('POST', ESTIMATES, { project_id: project.id, title: 'Set', line_items: [line()], ...more })
  return { project, ask, create }
}

/** The messages of a refusal, after it was seen to be a whole problem document. */
async function refusal(response: Response, status: number, code: string) {
  const problem = await response.json()
  expect({ status: response.status, code: problem.code }).toEqual({ status, code })
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(problem.request_id).toBe(response.headers.get('x-request-id'))
  return (problem.errors ?? [problem]).map((each: { message?: string; detail?: string }) => each.message ?? each.detail)
}

describe('a new estimate', () => {
  test.each([
    ['a quantity of nothing', { line_items: [line({ quantity: 0 })] }, 'quantity must be more than 0; got “0”'],
    ['a negative quantity', { line_items: [line({ quantity: -1 })] }, 'quantity must be more than 0; got “-1”'],
    [
      'five decimals',
      { line_items: [line({ unit_price: 1.00001 })] },
      'must be a number of at most 4 digits after the point; got “1.00001”',
    ],
    ['an absurd price', { line_items: [line({ unit_price: 1e300 })] }, 'must be at most 1,000,000,000; got “1e+300”'],
    ['text for a number', { line_items: [line({ quantity: '2' })] }, 'quantity must be a number; got “2”'],
    ['a currency in small letters', { currency: 'eur' }, 'such as EUR, USD or JPY; got “eur”'],
    [
      'a discount of no kind',
      { discount: { type: 'x', value: 1 } },
      'discount.type must be one of “percent”, “amount”; got “x”',
    ],
    ['a day that is none', { valid_until: '2026-02-30' }, 'must be a day such as 2026-03-01; got “2026-02-30”'],
    ['a tax beyond all', { tax_rate: 101 }, 'tax_rate must be at most 100; got “101”'],
  ])('with %s is refused with what was expected, and what came', async (_what, more, said) => {
    const { create } = await setUp()
    const messages = await refusal(await create(more), 422, 'validation_failed')
    expect(messages).toEqual([expect.stringContaining(said)])
  })

  test('with a number JSON allows and decimals cannot hold is refused as such', async () => {
    const { project, ask } = await setUp()
    const body = (quantity: string) =>
      `{"project_id":"${project.id}","title":"T","line_items":[{"description":"D","quantity":${quantity},"unit_price":1}]}`
    const messages = await refusal(await ask('POST', ESTIMATES, body('1e400')), 422, 'validation_failed')
    expect(messages).toEqual(['line_items.0.quantity must be a number; got one too large to compute with.'])
    await refusal(await ask('POST', ESTIMATES, body('NaN')), 400, 'invalid_json')
    await refusal(await ask('POST', ESTIMATES, '{'), 400, 'invalid_json')
  })

  test('for a project that is not there, or of other members, is refused alike', async () => {
    const { create } = await setUp()
    const foreign = await makeProject()
    const [missing] = await refusal(
      await create({ project_id: '01890000-0000-7000-8000-000000000000' }),
      404,
      'not_found',
    )
    const [theirs] = await refusal(await create({ project_id: foreign.id }), 404, 'not_found')
    expect(theirs?.replace(foreign.id, '')).toBe(missing?.replace('01890000-0000-7000-8000-000000000000', ''))
  })
})

const HOSTILE = [
  `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`,
  `'; DROP TABLE cost_estimates; --`,
  '=HYPERLINK("http://example.com","click")',
  '../../../etc/passwd\\..\\x:*?"<>|',
  '%s%n%x {{7*7}} <%= 7 %>',
  'Ω≈ç√∫˜µ≤≥÷ 田中さん ﷽ ฿ ‪‪᚛ \u202eevil\u202c',
  'Z\u0335\u0321\u0322algo\u0335\u0321 \ufeff\u200b',
  '👩‍👩‍👧‍👦 🏳️‍🌈 1️⃣',
  'x'.repeat(200),
]

test('hostile words are words: stored as they came, in the estimate, its file names, its CSV and its PDF', async () => {
  const { ask, create } = await setUp()
  for (const text of HOSTILE) {
    const response = await create({ title: text, line_items: [line({ description: text.repeat(10).slice(0, 2000) })] })
    expect(response.status).toBe(201)
    const { id, title } = await response.json()
    expect(title).toBe(text.replace(/[\u202a-\u202e]/g, '').trim())
    const pdf = await ask('GET', `${ESTIMATES}/{estimate_id}/export?format=pdf`, undefined, { estimate_id: id })
    expect(pdf.status).toBe(200)
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''/)
    expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).pages.at(-1)?.text).toContain('Total')
    const csv = await ask('GET', `${ESTIMATES}/{estimate_id}/export?format=csv`, undefined, { estimate_id: id })
    // A spreadsheet takes no cell for a formula.
    expect(await csv.text()).not.toMatch(/(^|,)"?[=+@-]\D/m)
  }
})

test('the CSV says which estimate it is of, and its tax; numbers are numbers, words are words', async () => {
  const { ask, create } = await setUp()
  const line_items = [line({ description: '\uff1d1+1' }), line({ description: 'Credit; agreed', unit_price: -12.5 })]
  const made = await (await create({ title: '=Set', line_items, tax_rate: 19 })).json()
  const at = { estimate_id: made.id }
  const csv = await (await ask('GET', `${ESTIMATES}/{estimate_id}/export?format=csv`, undefined, at)).text()
  const day = made.updated_at.slice(0, 10)
  expect(csv.trim().split('\r\n')).toEqual([
    'number,revision,title,date,position,description,quantity,unit,unit_price,amount,optional,declined,currency,tax_rate',
    `${made.number},1,'=Set,${day},1,'\uff1d1+1,2,,50,100,no,no,EUR,19`,
    `${made.number},1,'=Set,${day},2,"Credit; agreed",2,,-12.5,-25,no,no,EUR,19`,
    `${made.number},1,'=Set,${day},,subtotal,,,,75,,,EUR,19`,
    `${made.number},1,'=Set,${day},,discount,,,,0,,,EUR,19`,
    `${made.number},1,'=Set,${day},,tax,,,,14.25,,,EUR,19`,
    `${made.number},1,'=Set,${day},,total,,,,89.25,,,EUR,19`,
  ])
})

test('a title, and the name a client gives, never read backwards', async () => {
  const { ask, create } = await setUp()
  const { id, title } = await (await create({ title: 'Set \u202e001\u202c \u2066x\u2069' })).json()
  expect(title).toBe('Set 001 x')
  const sent = await (await ask('POST', `${ESTIMATES}/{estimate_id}/submit`, undefined, { estimate_id: id })).json()
  const decide = (name: string) =>
    ask(
      'POST',
      '/api/public/cost-estimates/{token}/decision',
      { decision: 'reject', name, comment: 'No' },
      { token: sent.client_url.split('/').at(-1) },
      '',
    )
  await refusal(await decide('Ada\u0000'), 422, 'validation_failed')
  await refusal(await decide('\u202e\u202c'), 422, 'validation_failed')
  expect(await (await decide('\u202eadA\u202c Lovelace')).json()).toMatchObject({
    decision: { name: 'adA Lovelace' },
  })
})

test('a PDF that cannot show a character says which, to staff and client alike', async () => {
  const { ask, create } = await setUp()
  const { id } = await (await create({ title: 'Video สว ส' })).json()
  const at = { estimate_id: id }
  const { client_url } = await (await ask('POST', `${ESTIMATES}/{estimate_id}/submit`, undefined, at)).json()
  const staff = await ask('GET', `${ESTIMATES}/{estimate_id}/export?format=pdf`, undefined, at)
  const token = { token: client_url.split('/').at(-1) }
  const client = await ask('GET', '/api/public/cost-estimates/{token}/pdf', undefined, token, '')
  for (const { headers } of [staff, client]) expect(headers.get('unprintable-characters')).toBe('U+0E2A, U+0E27')
  const { id: plain } = await (await create()).json()
  const fine = await ask('GET', `${ESTIMATES}/{estimate_id}/export?format=pdf`, undefined, { estimate_id: plain })
  expect(fine.headers.has('unprintable-characters')).toBe(false)
})

test('what a person and the client decide in the same moment counts once', async () => {
  const { ask, create } = await setUp()
  const { id } = await (await create()).json()
  const at = { estimate_id: id }
  const sent = await (await ask('POST', `${ESTIMATES}/{estimate_id}/submit`, undefined, at)).json()
  expect(sent.status).toBe('awaiting_client_approval')
  const token = { token: sent.client_url.split('/').at(-1) }
  const client = (decision: string) =>
    ask('POST', '/api/public/cost-estimates/{token}/decision', { decision, name: 'Ada' }, token, '')
  const responses = await Promise.all([
    client('approve'),
    ask('POST', `${ESTIMATES}/{estimate_id}/reject`, undefined, at),
    client('reject'),
  ])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  for (const response of responses.filter(({ status }) => status === 409)) await refusal(response, 409, 'invalid_state')
  const { decisions } = await (await ask('GET', `${ESTIMATES}/{estimate_id}`, undefined, at)).json()
  expect(decisions.map(({ decision }: { decision: string }) => decision)).toHaveLength(2)
})
