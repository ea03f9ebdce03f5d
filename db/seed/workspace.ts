import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import { PRESETS } from '@/lib/checks/presets'
import { cancelBatch, completeReview, createBatch, replaceManifest, submitBatch } from '@/lib/domain/batches/commands'
import { createAgency, createCampaign } from '@/lib/domain/directory/commands'
import { receiveFile, reviewFile } from '@/lib/domain/files/commands'
import { drawPreviews } from '@/lib/domain/files/previews'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { Context } from '@/lib/domain/kernel/operation'
import type { Actor } from '@/lib/domain/kernel/permissions'
import { readAllNotifications } from '@/lib/domain/notifications/inbox'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { createProject, updateProject } from '@/lib/domain/projects/commands'
import { addMember } from '@/lib/domain/projects/members'
import { createMediaCategory } from '@/lib/domain/settings/commands'
import { authenticateLink } from '@/lib/domain/upload-links/find'
import { receiveFileByLink } from '@/lib/domain/upload-links/public'
import { createUploadLink, deactivateUploadLink } from '@/lib/domain/upload-links/staff'
import { newContext } from '@/lib/service'
import { database } from '../client'
import { files } from '../schema/files'
import { preQcResults } from '../schema/pre-qc'
import { animation, type Look, still } from './artwork'
import { seedEstimates } from './estimates'
import { advertisement, banner, film, tune } from './media'

/**
 * A week at an agency desk, told through the product's own operations: every rule held, every event and notification
 * real, every result from the engine. Only the clock is ours.
 */

type Staff = Record<'admin' | 'coordinator' | 'operator' | 'second' | 'viewer', Extract<Actor, { type: 'user' }>>

const HOUR = 3_600_000
const LOOKS = {
  fjord: {
    brand: 'Fjord & Field',
    headline: 'Spring starts here',
    colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
    shape: 'peaks',
  },
  luma: { brand: 'Luma Skin', headline: 'Light, bottled', colours: ['#f6e7df', '#d98f77', '#5a2a1e'], shape: 'bottle' },
  volt: {
    brand: 'Voltaire Bikes',
    headline: 'Ride the long way',
    colours: ['#10142b', '#ff6a3d', '#ffffff'],
    shape: 'rings',
  },
  tide: {
    brand: 'Tidewater Bank',
    headline: 'Savings that stay',
    colours: ['#0b2a4a', '#3e8ed0', '#eaf4ff'],
    shape: 'waves',
  },
  koma: { brand: 'Koma Coffee', headline: 'Slow mornings', colours: ['#2b1a12', '#c08457', '#fff4e6'], shape: 'rings' },
} as const satisfies Record<string, Look>

export async function seedWorkspace(staff: Staff) {
  const end = Date.now()
  const at = (hoursAgo: number) => new Date(end - hoursAgo * HOUR)
  const as = (actor: Actor, hoursAgo: number) => newContext({ actor, now: at(hoursAgo), requestId: 'demo' })
  const { admin, coordinator, operator, second, viewer } = staff

  const agency = (name: string, code: string) => createAgency.execute(as(admin, 260), {}, { name, code })
  const northlight = await agency('Northlight Studio', 'NLS')
  const halden = await agency('Halden & Partners', 'HALDEN')
  const paper = await agency('Paper Lantern', 'PAPER')
  const motion = await agency('Motion Kitchen', 'MOKI')
  await agency('Kessel Print Works', 'KESSEL')
  await agency('Ostrava Sound', 'OSTRA')
  const campaign = (agencyId: string, name: string, code: string) =>
    createCampaign.execute(as(admin, 258), {}, { agency_id: agencyId, name, code })
  const spring = await campaign(northlight.id, 'Spring 2027', 'SPRING27')
  const glow = await campaign(halden.id, 'Glow launch', 'GLOW')
  const longWay = await campaign(motion.id, 'The long way', 'LONGWAY')
  await campaign(paper.id, 'Savings month', 'SAVE')

  const preset = (id: string) => PRESETS.find((each) => each.id === id)?.checks ?? {}
  const category = (name: string, naming_template: string | null, media_types: string[], presetId: string | null) =>
    createMediaCategory.execute(
      as(admin, 256),
      {},
      { name, naming_template, media_types, pre_qc: { enabled: true, checks: presetId ? preset(presetId) : {} } },
    )
  const display = await category(
    'Display banners',
    '{agency}_{campaign}_{title}_{width}x{height}[_{language}]_v{version}.{ext}',
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    'iab_display',
  )
  const video = await category(
    'Social video',
    '{agency}_{campaign}_{title}_{ratio}_{duration}_v{version}.{ext}',
    ['video/mp4', 'video/quicktime', 'video/webm'],
    null,
  )
  const print = await category(
    'Print ads',
    '{agency}_{campaign}_{title}_{date}_v{version}.{ext}',
    ['application/pdf', 'image/tiff'],
    'print',
  )
  const html5 = await category(
    'HTML5 banners',
    '{agency}_{campaign}_{title}_{width}x{height}_v{version}.zip',
    ['application/zip'],
    'iab_display',
  )
  await category(
    'Audio spots',
    '{agency}_{campaign}_{title}_{duration}_v{version}.{ext}',
    ['audio/wav', 'audio/mpeg', 'audio/flac'],
    null,
  )
  const mixed = await category('Mixed deliverables', null, [], null)

  const project = async (
    name: string,
    agencyId: string,
    campaignId: string | null,
    categoryId: string,
    hoursAgo: number,
  ) => {
    const made = await createProject.execute(
      as(coordinator, hoursAgo),
      {},
      { name, agency_id: agencyId, campaign_id: campaignId, media_category_id: categoryId },
    )
    await addMember.execute(as(coordinator, hoursAgo - 0.1), { project_id: made.id, user_id: viewer.id })
    return made
  }
  const dueIn = (days: number) => new Date(end + days * 24 * HOUR).toISOString().slice(0, 10)
  const batch = async (projectId: string, name: string, hoursAgo: number, more: Record<string, unknown> = {}) => {
    const made = await createBatch.execute(
      as(coordinator, hoursAgo),
      { project_id: projectId },
      { name, operator_id: operator.id, coordinator_id: coordinator.id, ...more },
    )
    return { project_id: projectId, batch_id: made.id }
  }
  type Place = Awaited<ReturnType<typeof batch>>

  const upload = async (ctx: Context, name: string, bytes: Buffer) => {
    const staged = await ctx.ports.blobs.stage()
    const writable = await staged.writable()
    writable.end(bytes)
    await finished(writable)
    return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), staged }
  }
  const send = async (place: Place, name: string, bytes: Buffer, hoursAgo: number, by: Actor = coordinator) => {
    const ctx = as(by, hoursAgo)
    return receiveFile.execute(ctx, place, await upload(ctx, name, bytes))
  }
  const link = (place: Place, label: string, hoursAgo: number, more: Record<string, unknown> = {}) =>
    createUploadLink.execute(as(coordinator, hoursAgo), {}, { batch_id: place.batch_id, label, ...more })
  /** Through a link; a refusal is part of the story. */
  const deliver = async (url: string, session: string, name: string, bytes: Buffer, hoursAgo: number) => {
    const token = url.split('/').at(-1) ?? ''
    const ctx = {
      ...newContext({
        actor: { type: 'anonymous' },
        now: at(hoursAgo),
        credentials: { uploadSession: session, linkPassword: null, linkKey: null },
      }),
    }
    const holder = { ...ctx, actor: await authenticateLink(ctx, { token }) }
    return receiveFileByLink.execute(holder, { token }, await upload(ctx, name, bytes)).catch((error) => {
      if (error instanceof DomainError && error.code === 'file_rejected') return null
      throw error
    })
  }
  /** Submits, and lets the engine check what was submitted, as the worker would. */
  const submit = async (place: Place, hoursAgo: number) => {
    await submitBatch.execute(as(coordinator, hoursAgo), place)
    const queued = await database()
      .db.select({ id: preQcResults.id })
      .from(preQcResults)
      .where(and(eq(preQcResults.batchId, place.batch_id), eq(preQcResults.status, 'queued')))
    await Promise.all(
      queued.map(({ id }) =>
        runPreQc(
          newContext({ actor: { type: 'system', name: 'Greenroom' }, now: at(hoursAgo - 0.01), requestId: 'demo' }),
          { result_id: id },
        ),
      ),
    )
  }
  const review = async (
    place: Place,
    verdicts: Record<string, string | true>,
    hoursAgo: number,
    by: Actor = operator,
  ) => {
    const held = await database()
      .db.select({ id: files.id, name: files.name })
      .from(files)
      .where(and(eq(files.batchId, place.batch_id), eq(files.isCurrent, true)))
    for (const { id, name } of held) {
      const verdict = verdicts[name] ?? true
      await reviewFile.execute(
        as(by, hoursAgo),
        { ...place, file_id: id },
        verdict === true ? { decision: 'approve' } : { decision: 'reject', comment: verdict },
      )
    }
    await completeReview.execute(as(by, hoursAgo - 0.2), place, {})
  }

  // Northlight, spring: one delivery approved, one waiting for better files, one just arriving
  const springProject = await project('Fjord & Field: spring launch', northlight.id, spring.id, display.id, 240)
  const first = await batch(springProject.id, 'Banners, first delivery', 238, { due_on: dueIn(-7) })
  const firstLink = await link(first, 'Northlight, first delivery', 237, { max_uses: 1 })
  for (const [w, h] of [
    [300, 250],
    [728, 90],
    [160, 600],
    [970, 250],
  ] as const) {
    await deliver(
      firstLink.url,
      '0190a000-0000-7000-8000-000000000001',
      `NLS_SPRING27_Hero_${w}x${h}_v1.png`,
      await still(LOOKS.fjord, w, h, 'png'),
      230,
    )
  }
  await submit(first, 228)
  await review(first, {}, 220)

  const secondBatch = await batch(springProject.id, 'Banners, small sizes', 120, { due_on: dueIn(1) })
  const secondLink = await link(secondBatch, 'Northlight, small sizes', 119, {
    max_uses: 5,
    expires_at: new Date(end + 6 * 24 * HOUR).toISOString(),
    note: 'Please keep the headline inside the safe area.',
  })
  const session = '0190a000-0000-7000-8000-000000000002'
  await deliver(
    secondLink.url,
    session,
    'NLS_SPRING27_Hero_320x50_v1.png',
    await still(LOOKS.fjord, 320, 50, 'png'),
    100,
  )
  await deliver(
    secondLink.url,
    session,
    'NLS_SPRING27_Hero_300x600_v1.jpg',
    await still(LOOKS.fjord, 298, 600, 'jpg'),
    99.9,
  )
  await deliver(
    secondLink.url,
    session,
    'NLS_SPRING27_Story_300x250_v1.gif',
    await animation(LOOKS.fjord, 300, 250, 12, 160, 0),
    99.8,
  )
  await deliver(secondLink.url, session, 'NLS-SPRING27_Hero_120x60.png', await still(LOOKS.fjord, 120, 60, 'png'), 99.7)
  const whole = await still(LOOKS.fjord, 970, 90, 'jpg')
  await deliver(
    secondLink.url,
    session,
    'NLS_SPRING27_Hero_970x90_v1.jpg',
    whole.subarray(0, Math.floor(whole.length * 0.7)),
    99.6,
  )
  await submit(secondBatch, 98)
  await review(
    secondBatch,
    {
      'NLS_SPRING27_Hero_300x600_v1.jpg': 'The file is 298 px wide. Please export it at 300 × 600 px.',
      'NLS_SPRING27_Story_300x250_v1.gif': 'The animation never ends. Three loops at most, please.',
    },
    90,
  )
  await deliver(
    secondLink.url,
    session,
    'NLS_SPRING27_Hero_300x600_v1.jpg',
    await still(LOOKS.fjord, 300, 600, 'jpg'),
    30,
  )

  const third = await batch(springProject.id, 'Landing page visuals', 20, {
    media_category_id: mixed.id,
    due_on: dueIn(6),
  })
  await link(third, 'Northlight, landing page', 19, { expires_at: new Date(end + 3 * 24 * HOUR).toISOString() })
  await send(third, 'hero-desktop.webp', await still(LOOKS.fjord, 1440, 640, 'webp'), 6)
  await send(third, 'hero-phone.jpg', await still(LOOKS.fjord, 780, 1000, 'jpg', { gps: true }), 5.9)
  await send(third, 'sound-logo.wav', tune([523, 659, 784, 1047], 0.4), 5.8)

  // Halden, cosmetics: in review, with findings of every kind
  const glowProject = await project('Luma Skin: glow launch', halden.id, glow.id, display.id, 170)
  const glowBatch = await batch(glowProject.id, 'Display set', 168, { due_on: dueIn(0) })
  const glowLink = await link(glowBatch, 'Halden', 167, { max_uses: 10 })
  const glowSession = '0190a000-0000-7000-8000-000000000003'
  await deliver(
    glowLink.url,
    glowSession,
    'HALDEN_GLOW_Serum_300x250_v1.jpg',
    await still(LOOKS.luma, 300, 250, 'jpg'),
    60,
  )
  await deliver(
    glowLink.url,
    glowSession,
    'HALDEN_GLOW_Serum_728x90_v1.jpg',
    await still(LOOKS.luma, 728, 90, 'jpg', { quality: 18 }),
    59.9,
  )
  await deliver(
    glowLink.url,
    glowSession,
    'HALDEN_GLOW_Serum_160x600_v1.png',
    await still(LOOKS.luma, 160, 600, 'png'),
    59.8,
  )
  await deliver(
    glowLink.url,
    glowSession,
    'HALDEN_GLOW_Serum_970x250_v1.jpg',
    await still(LOOKS.luma, 970, 250, 'jpg', { blur: 4 }),
    59.7,
  )
  await deliver(
    glowLink.url,
    glowSession,
    'HALDEN_GLOW_Packshot_300x600_v1.jpg',
    await still(LOOKS.luma, 300, 602, 'jpg'),
    59.6,
  )
  await submit(glowBatch, 4)
  const glowPrint = await batch(glowProject.id, 'Magazine page', 150, {
    media_category_id: print.id,
    due_on: dueIn(-1),
  })
  await send(glowPrint, 'HALDEN_GLOW_Page_20261109_v1.pdf', await advertisement(LOOKS.luma, 1, true), 80)
  await send(
    glowPrint,
    'HALDEN_GLOW_Spread_20261109_v1.pdf',
    await advertisement({ ...LOOKS.luma, headline: 'Two pages of light' }, 2, false),
    79.9,
  )
  await send(
    glowPrint,
    'HALDEN_GLOW_Plate_20261109_v1.tif',
    await still(LOOKS.luma, 620, 874, 'tif', { dpi: 120 }),
    79.8,
  )
  await submit(glowPrint, 26)

  // Motion Kitchen, film
  const bikes = await project('Voltaire Bikes: the long way', motion.id, longWay.id, video.id, 200)
  const cuts = await batch(bikes.id, 'Cut-downs', 196)
  await send(cuts, 'MOKI_LONGWAY_Ride_16x9_4s_v1.mp4', await film(LOOKS.volt, 640, 360, 4, 25), 150)
  await send(
    cuts,
    'MOKI_LONGWAY_Ride_1x1_4s_v1.mp4',
    await film(LOOKS.volt, 360, 360, 3, 25, { fastStart: false }),
    149.9,
  )
  await submit(cuts, 148)
  await review(cuts, { 'MOKI_LONGWAY_Ride_1x1_4s_v1.mp4': 'It runs for 3 seconds; the name and the plan say 4.' }, 140)
  const banners = await batch(bikes.id, 'HTML5 banners', 40, { media_category_id: html5.id, due_on: dueIn(5) })
  await send(banners, 'MOKI_LONGWAY_Ride_300x250_v1.zip', await banner(LOOKS.volt, 300, 250), 36)
  await send(
    banners,
    'MOKI_LONGWAY_Ride_728x90_v1.zip',
    await banner(LOOKS.volt, 728, 90, { hasClickTag: false }),
    35.9,
  )
  await submit(banners, 3)

  // A project on hold, with a manifest; a cancelled batch; closed projects
  const bank = await project('Tidewater Bank: savings month', paper.id, null, mixed.id, 130)
  const bankBatch = await batch(bank.id, 'Branch posters', 128)
  await replaceManifest.execute(as(coordinator, 127), bankBatch, {
    files: ['poster-a2.pdf', 'poster-a3.pdf', 'window-sticker.png', 'counter-card.png', 'screen-loop.mp4'].map(
      (name) => ({ name, note: name.endsWith('pdf') ? 'With 3 mm of bleed' : null }),
    ),
  })
  await send(bankBatch, 'poster-a3.pdf', await advertisement(LOOKS.tide, 1, true), 110)
  await send(bankBatch, 'counter-card.png', await still(LOOKS.tide, 620, 440, 'png'), 109)
  const dropped = await batch(bank.id, 'Radio cut (dropped)', 126)
  await cancelBatch.execute(as(coordinator, 100), dropped)
  const stopped = await link(bankBatch, 'Paper Lantern, old address', 125)
  await deactivateUploadLink.execute(as(coordinator, 124), { link_id: stopped.id })
  await link(bankBatch, 'Paper Lantern, October', 125, { expires_at: at(60).toISOString() })
  await updateProject.execute(as(coordinator, 24), { project_id: bank.id }, { status: 'on_hold' })

  const coffee = await project('Koma Coffee: winter menu', paper.id, null, mixed.id, 250)
  const menu = await batch(coffee.id, 'Menu boards', 249, { operator_id: second.id })
  await send(menu, 'menu-board-left.png', await still(LOOKS.koma, 540, 960, 'png'), 245)
  await send(
    menu,
    'menu-board-right.png',
    await still({ ...LOOKS.koma, headline: 'Late mornings' }, 540, 960, 'png'),
    244.9,
  )
  await submit(menu, 244)
  await review(menu, {}, 236, second)
  await updateProject.execute(as(coordinator, 210), { project_id: coffee.id }, { status: 'completed' })
  for (const [name, status] of [
    ['Tidewater Bank: app icons', 'archived'],
    ['Luma Skin: holiday gift set', 'cancelled'],
    ['Fjord & Field: catalogue', 'active'],
  ] as const) {
    const made = await project(name, name.startsWith('Luma') ? halden.id : paper.id, null, mixed.id, 255)
    if (status !== 'active') await updateProject.execute(as(coordinator, 200), { project_id: made.id }, { status })
  }

  await seedEstimates(as, staff, { spring: springProject.id, glow: glowProject.id, film: bikes.id })

  await drawAll()
  await readAllNotifications.execute(as(coordinator, 50), {}, undefined)
}

/** Thumbnails and previews, a few at a time. */
async function drawAll() {
  const all = await database().db.select({ id: files.id }).from(files)
  const system = newContext({ actor: { type: 'system', name: 'Greenroom' }, requestId: 'demo' })
  const next = all[Symbol.iterator]()
  const draw = async () => {
    for (const { id } of next) await drawPreviews(system, { file_id: id })
  }
  await Promise.all([draw(), draw(), draw()])
}
