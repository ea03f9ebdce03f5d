import { decideClientEstimate } from '@/lib/domain/cost-estimates/client'
import { createEstimate, reviseEstimate, submitEstimate } from '@/lib/domain/cost-estimates/commands'
import { approveEstimate, rejectEstimate } from '@/lib/domain/cost-estimates/decide'
import { updateApprovalWorkflow } from '@/lib/domain/cost-estimates/workflow'
import type { Context } from '@/lib/domain/kernel/operation'
import type { Actor } from '@/lib/domain/kernel/permissions'
import { updateLetterhead } from '@/lib/domain/settings/letterhead'

type Person = Extract<Actor, { type: 'user' }>
type As = (actor: Actor, hoursAgo: number) => Context
type Lines = {
  description: string
  quantity: number
  unit_price: number
  unit?: 'file' | 'round'
  optional?: boolean
}[]

const BANNERS: Lines = [
  { description: 'Quality control of display banners, per file', quantity: 24, unit_price: 14.5, unit: 'file' },
  { description: 'Review round with annotated findings', quantity: 2, unit_price: 180, unit: 'round' },
  { description: 'Project coordination', quantity: 3.5, unit_price: 92 },
  { description: 'Express delivery within one working day', quantity: 1, unit_price: 240, optional: true },
]
const FILM: Lines = [
  {
    description: 'Technical check of broadcast masters (EBU R128, photosensitivity)',
    quantity: 6,
    unit_price: 68,
    unit: 'file',
  },
  { description: 'Loudness correction', quantity: 2, unit_price: 110, optional: true },
  { description: 'Volume rebate', quantity: 1, unit_price: -45 },
]

/** Estimates in every state, each brought there by the people who would have. */
export async function seedEstimates(
  as: As,
  { admin, coordinator }: { admin: Person; coordinator: Person },
  projects: { spring: string; glow: string; film: string },
) {
  const day = (hoursFromNow: number) => new Date(Date.now() + hoursFromNow * 3_600_000).toISOString().slice(0, 10)
  await updateLetterhead.execute(
    as(admin, 260),
    {},
    {
      name: 'Greenroom Quality Control',
      address: 'Harbour Street 12\n20457 Hamburg\nGermany',
      tax_id: 'DE 123 456 789',
      terms: 'Payable within 30 days of the invoice. Work beyond the quoted rounds is estimated anew before it begins.',
      undo_minutes: 15,
    },
  )
  await updateApprovalWorkflow.execute(
    as(admin, 259),
    {},
    {
      steps: [{ name: 'Finance', role: 'administrator', above: 1000 }],
      allow_own: false,
    },
  )
  const create = (hoursAgo: number, project_id: string, title: string, line_items: Lines, more: object = {}) =>
    createEstimate.execute(as(coordinator, hoursAgo), {}, { project_id, title, line_items, tax_rate: 19, ...more })
  const on = ({ id }: { id: string }) => ({ estimate_id: id })
  const submit = (hoursAgo: number, estimate: { id: string }) =>
    submitEstimate.execute(as(coordinator, hoursAgo), on(estimate))

  const accepted = await create(236, projects.spring, 'Spring launch, display', BANNERS, { valid_until: day(240) })
  await submit(235, accepted)
  const passed = await approveEstimate.execute(as(admin, 230), on(accepted), { comment: 'Margin is fine.' })
  const answer = { decision: 'approve', name: 'Ingrid Solberg', comment: 'Please start with the large formats.' }
  const client: Actor = { type: 'client', id: accepted.id, name: 'The client' }
  await decideClientEstimate.execute(as(client, 214), { token: passed.client_url?.split('/').at(-1) ?? '' }, answer)

  const late = await create(190, projects.film, 'Cinema version', FILM.slice(0, 2), { valid_until: day(-48) })
  await submit(189, late)

  const dear = await create(150, projects.glow, 'Glow launch, social cuts', BANNERS, { notes: 'Priced for 24 files.' })
  await submit(149, dear)
  await rejectEstimate.execute(as(admin, 140), on(dear), { comment: 'Coordination is priced twice.' })
  await reviseEstimate.execute(as(coordinator, 139), on(dear))

  const refused = await create(130, projects.film, 'Radio spots', FILM.slice(0, 1))
  await submit(129, refused)
  await rejectEstimate.execute(as(coordinator, 120), on(refused), { comment: 'By phone: the spots were dropped.' })

  const waiting = await create(60, projects.film, 'The long way, masters', FILM, { valid_until: day(300) })
  await submit(58, waiting)

  const inside = await create(30, projects.glow, 'Glow launch, full package', [...BANNERS, ...FILM], {
    discount: { type: 'percent', value: 5 },
    valid_until: day(400),
  })
  await submit(29, inside)

  await create(4, projects.spring, 'Additional sizes', BANNERS.slice(0, 2))

  // What is under way keeps its steps; whoever tries the product out begins without a workflow.
  await updateApprovalWorkflow.execute(as(admin, 3), {}, { steps: [], allow_own: false })
}
