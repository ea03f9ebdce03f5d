// `npm run bench:scale`: what every GET of the interface and every page costs on much data, beside the same on little.
// Fills databases of its own by SQL, calls everything as administrator and as coordinator, looks up what uploads and checks look up,
// and counts: processor time of web and PostgreSQL, blocks of 8 kB the database read (from memory or disk), statements, bytes sent, and sequential
// scans of more than SCANNED rows. Linux only. Options:
//   --files 1000 --files 1000000   the sizes to compare (default 1000 and 200000)
//   --same-answers                 what is asked about and listed is as large in the smaller database as in the largest; only what lies beside it is less
//   --only PATTERN                 only addresses in which this regular expression is found
//   --keep FOLDER                  databases stay there, and are filled once
//   --out FILE                     everything that was counted, with the plans of the costliest statements, as JSON
// The table ends with the ten costliest statements of the largest size, each with its plan as it ran.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { LIBRARY } from '@/lib/destinations/library'
import { INTERFACE } from '@/lib/http/interface'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'
import { ask, type Product, startProduct } from './product'
import {
  EXPLAIN,
  linesOf,
  logSize,
  portsOf,
  processorTime,
  type Statement,
  spent,
  statementsSince,
  webOf,
} from './scale/counted'
import { fill, sizeOf } from './scale/fill'
import { openLookUps } from './scale/look-ups'

const REPEATS = 3
/** What takes longer is asked once. */
const SLOW_MS = 500
/** No answer by then is none. */
const TIMEOUT_MS = 60_000
/** Rows read in order that are worth a line. */
const SCANNED = 500
/** Below these, a ratio says nothing. */
const NOISE = { ms: 10, blocks: 100, bytes: 4096 }
/** As many months have passed since the fill began, at least. */
const MONTHS = 23
const PASSWORD = 'measured-at-every-size'
/** As many statements are shown with their plans, and as much of their text. */
const COSTLIEST = 10
const SHOWN_TEXT = 400
const WHO = ['admin', 'coordinator'] as const
type Who = (typeof WHO)[number]

/** Questions that people ask of lists, besides the plain one and the first page. In braces: what stands in `places`. */
const QUESTIONS: Record<string, string[]> = {
  '/api/search': ['q=scale-file-77', 'q=scale', 'q=remark', 'q=scale&kind=file&agency_id={agency_id}', 'q=scael-flie'],
  '/search': ['q=scale', 'q=scale&kind=finding'],
  '/api/upload-links': ['batchId={open}', 'batchId={open}&limit=50'],
  '/api/review-links': ['batch_id={batch_id}'],
  '/api/share-links': ['batch_id={approved}'],
  '/api/saved-views': ['place=files'],
  '/api/pre-qc/results': ['batchId={batch_id}', 'batchId={batch_id}&limit=50'],
  '/api/audit-events': [
    'limit=50&subject_id={file_id}',
    'limit=50&actor_id={user_id}',
    'limit=50&project_id={project_id}',
    'limit=50&batch_id={batch_id}',
    'limit=50&type=certificate.issued',
    'limit=50&from={from}&to={from}',
    'limit=50&actor_id={user_id}&from={from}&to={from}',
  ],
  '/api/pre-qc/analytics/agencies': ['', 'from={from}'],
  '/api/pre-qc/analytics/agencies/csv': ['', 'from={from}'],
  '/api/projects/{project_id}/batches/{batch_id}/files': ['', 'limit=50', 'limit=50&versions=all'],
  '/api/projects/{project_id}/batches/{batch_id}/file-summaries': [
    '',
    'q=77',
    'verdict=fail',
    'check={check_id}',
    'decision=pending',
    'limit=50&offset=5000',
  ],
  '/api/projects/{project_id}/batches/{batch_id}/report': ['format=json'],
  '/analytics': ['', 'from={from}'],
}

type Entry = { address: string; who: Who }
type Cost = {
  status: number
  ms: number
  web: number
  database: number
  bytes: number
  blocks: number
  statements: number
  scans: Record<string, number>
}
type Costs = Map<string, Cost>
/** A statement, and the address at which it read the most. */
type Costly = Statement & { entry: string }

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    'same-answers': { type: 'boolean' },
    only: { type: 'string' },
    keep: { type: 'string' },
    out: { type: 'string' },
  },
})
const sizes = (options.files ?? ['1000', '200000']).map(Number)
const largest = Math.max(...sizes)
if (sizes.some((files) => !Number.isInteger(files) || files < 1000 || files > 10_000_000))
  throw new Error(`--files is ${options.files?.join(', ')}: expected whole numbers from 1000 to 10000000.`)
const leastBeside = 4 * sizeOf(largest).filesOfOne
if (options['same-answers'] && Math.min(...sizes) < leastBeside)
  throw new Error(
    `--same-answers with ${largest} files: the least that --files can be is ${leastBeside}, three large batches and as much beside them.`,
  )
if (process.platform !== 'linux')
  throw new Error('bench:scale reads processor times from /proc: it runs on Linux only.')

const folder = path.resolve(options.keep ?? mkdtempSync(path.join(tmpdir(), 'greenroom-scale-')))
mkdirSync(folder, { recursive: true })
chmodSync(folder, 0o711)
const place = clusterIn(folder)
let cluster = await startCluster(place)
try {
  const root = postgres(cluster.url, { max: 1, onnotice: () => {} })
  await root.unsafe(`alter system set shared_preload_libraries = 'auto_explain'`)
  await root.unsafe(`alter system set shared_buffers = '512MB'`)
  for (const [name, value] of Object.entries(EXPLAIN)) await root.unsafe(`alter system set ${name} = '${value}'`)
  await root.end()
  await cluster.stop()
  cluster = await startCluster(place)
  const all: Costs[] = []
  const costliest: Costly[] = []
  for (const files of sizes) all.push(await measureAt(files, costliest))
  report(sizes, all)
  console.log(`\nThe statements that read the most blocks on ${sizes.at(-1)} files, each once:`)
  for (const { entry, blocks, text, plan } of costliest)
    console.log(
      `\n${blocks} blocks | ${entry}\n  ${text.replace(/\s+/g, ' ').slice(0, SHOWN_TEXT)}\n${linesOf(plan).join('\n')}`,
    )
  if (options.out) {
    const costs = all.map((each, index) => ({ files: sizes[index], costs: Object.fromEntries(each) }))
    writeFileSync(options.out, JSON.stringify({ costs, costliest }, null, 1))
  }
} finally {
  await cluster.stop()
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}

async function measureAt(files: number, costliest: Costly[]): Promise<Costs> {
  const size = sizeOf(files, options['same-answers'] ? largest : files)
  const name = options['same-answers'] && files < largest ? `${files}_as_${largest}` : `${files}`
  const url = new URL(cluster.url)
  url.pathname = `/scale_${name}`
  const root = postgres(cluster.url, { max: 1, onnotice: () => {} })
  const [exists] = await root`select 1 from pg_database where datname = ${`scale_${name}`}`
  if (!exists) await root.unsafe(`create database scale_${name}`)
  let stopLookUps = async () => {}
  const sql = postgres(url.href, { max: 1, onnotice: () => {}, connection: { statement_timeout: 0 } })
  const dataFolder = path.join(folder, `data-${name}`)
  mkdirSync(dataFolder, { recursive: true })
  const product = await startProduct(url.href, dataFolder, {
    DEMO: 'true',
    DEMO_PASSWORD: PASSWORD,
    WEB_PROCESSES: '1',
  })
  try {
    const filled = path.join(dataFolder, 'filled')
    if (!existsSync(filled)) {
      await product.untilIdle()
      const began = performance.now()
      await fill(sql, size)
      writeFileSync(filled, '')
      console.log(`${files} files filled in ${seconds(began)}.`)
    }
    const began = performance.now()
    const events = await untilSealed(sql)
    console.log(`${events} events sealed after another ${seconds(began)}.`)
    await untilSummed(sql)
    await sql.unsafe('vacuum analyze')
    // After a start the worker goes through all there is.
    await product.untilIdle()
    const places = await findPlaces(sql, product)
    const sessions = { admin: await signIn(product, 'admin'), coordinator: await signIn(product, 'coordinator') }
    const entries = entriesFor(places).filter(({ address }) => !options.only || new RegExp(options.only).test(address))
    const costs: Costs = new Map()
    const startedAt = performance.now()
    const { lookUps, stop } = await openLookUps(url.href, places.project_id ?? '')
    stopLookUps = stop
    for (const { name, run } of lookUps) costs.set(name, await timedLookUp(run))
    for (const entry of entries) {
      const cost = await timed(product, sql, entry, sessions)
      costs.set(keyOf(entry, places), cost)
    }
    await setExplained(root, true)
    for (const entry of entries) {
      const key = keyOf(entry, places)
      const cost = costs.get(key)
      if (!cost || cost.status === 0) continue
      const from = logSize(place.logFile)
      await get(product, entry, sessions)
      const statements = statementsSince(place.logFile, from, portsOf(webOf(product.pid)))
      counted(cost, statements)
      if (files === sizes.at(-1)) keepCostliest(costliest, statements, key)
    }
    for (const { name, run } of lookUps) {
      const from = logSize(place.logFile)
      await run()
      const statements = statementsSince(place.logFile, from, portsOf([process.pid]))
      counted(costs.get(name), statements)
      if (files === sizes.at(-1)) keepCostliest(costliest, statements, name)
    }
    await setExplained(root, false)
    console.log(`${entries.length} addresses asked on ${files} files in ${seconds(startedAt)}.`)
    return costs
  } finally {
    await stopLookUps()
    await product.stop()
    await sql.end()
    await root.end()
  }
}

/** Notes what the statements of one entry read. */
function counted(cost: Cost | undefined, statements: readonly Statement[]) {
  if (!cost) return
  cost.statements = statements.length
  cost.blocks = statements.reduce((sum, { blocks }) => sum + blocks, 0)
  for (const { table, rows } of statements.flatMap(({ scans }) => scans))
    if (rows > SCANNED) cost.scans[table] = (cost.scans[table] ?? 0) + rows
}

/** Of a look-up the time that passes counts: it is next to nothing but the database. */
async function timedLookUp(run: () => Promise<void>): Promise<Cost> {
  await run()
  const began = performance.now()
  for (let repeat = 0; repeat < REPEATS; repeat++) await run()
  const ms = (performance.now() - began) / REPEATS
  return { status: 200, ms, web: 0, database: ms, bytes: 0, blocks: 0, statements: 0, scans: {} }
}

function keepCostliest(costliest: Costly[], statements: readonly Statement[], entry: string) {
  for (const statement of statements) {
    const known = costliest.find(({ text }) => text === statement.text)
    if (!known) costliest.push({ ...statement, entry })
    else if (known.blocks < statement.blocks) Object.assign(known, statement, { entry })
  }
  costliest.sort((a, b) => b.blocks - a.blocks).splice(COSTLIEST)
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`
}

async function setExplained(root: Sql, on: boolean) {
  await root.unsafe(`alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`)
  await root`select pg_reload_conf()`
  // Connections that wait for a statement take the settings up at once; nothing says when they have.
  await new Promise((done) => setTimeout(done, 1000))
}

async function untilSealed(sql: Sql): Promise<number> {
  for (;;) {
    const [row] = await sql<{ events: number; sealed: number }[]>`
      select (select count(*)::int from events) as events, coalesce((select max(position) from audit_seals), 0)::int as sealed`
    if (row && row.sealed >= row.events) return row.events
    // Counting costs the sealer time; it waits longer for more.
    await new Promise((done) => setTimeout(done, row && row.events - row.sealed > 100_000 ? 10_000 : 1000))
  }
}

/** The worker sums the months that have passed: those of the fill without the one that runs. */
async function untilSummed(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ months: number }[]>`select count(*)::int as months from analytics_months`
    if (row && row.months >= MONTHS) return
    await new Promise((done) => setTimeout(done, 1000))
  }
}

/** The cookie of a session, as a browser gets it. */
async function signIn({ url }: Product, who: Who): Promise<{ Cookie: string }> {
  const cookies = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const asked = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookies(asked).join('; '), Origin: url },
    body: new URLSearchParams({ csrfToken, email: `${who}@greenroom.test`, password: PASSWORD }),
  })
  const session = cookies(response).filter((cookie) => cookie.includes('session-token'))
  if (session.length === 0) throw new Error(`${who} could not sign in: ${response.status} ${await response.text()}`)
  return { Cookie: session.join('; ') }
}

/** What stands in the places of paths: of the large batches and projects, where there are. */
async function findPlaces(sql: Sql, product: Product): Promise<Record<string, string>> {
  const one = async (query: string) => String((await sql.unsafe(query))[0]?.id ?? 'none')
  const batchNamed = (n: number) => one(`select id from batches where name = 'Scale batch ${n}'`)
  const batch = await batchNamed(0)
  const open = await batchNamed(1)
  const approved = await batchNamed(2)
  const project = await one(`select project_id as id from batches where id = '${batch}'`)
  const file = await one(`select id from files where batch_id = '${batch}' and is_current order by id desc limit 1`)
  const agency = await one(`select agency_id as id from projects where id = '${project}'`)
  await sql`insert into file_comments (id, project_id, batch_id, file_id, body, created_by)
    select uuidv7(), ${project}, ${batch}, ${file}, 'Scale remark', id from users where email = 'admin@greenroom.test'`
  const make = <T>(address: string, body: object) => ask<T>(product, 'POST', address, body)
  const link = await make<{ id: string; url: string }>('/api/upload-links', { batch_id: open })
  const scorecard = await make<{ url: string }>(`/api/agencies/${agency}/scorecard-links`, {})
  const { statement } = await make<{ statement: { id: string } }>(
    `/api/projects/${project}/batches/${approved}/certificate`,
    {},
  )
  const reviewLink = await make<{ id: string; url: string }>('/api/review-links', {
    batch_id: batch,
    name: 'Scale guest',
    party: 'client',
  })
  const share = await make<{ id: string; url: string }>('/api/share-links', {
    batch_id: approved,
    name: 'Scale receiver',
  })
  const stage = await make<{ id: string }>(`/api/projects/${project}/batches/${batch}/stages`, {
    name: 'Scale stage',
    party: 'client',
  })
  const view = await make<{ id: string }>('/api/saved-views', {
    place: 'files',
    name: `Scale view ${Date.now()}`,
    query: { q: 'scale' },
  })
  const { cost_estimates: shared } = await ask<{ cost_estimates: { client_url: string | null }[] }>(
    product,
    'GET',
    '/api/cost-estimates?status=awaiting_client_approval&limit=50',
  )
  const hold = await one(`select id from legal_holds order by id desc limit 1`)
  const tokenOf = (url: string | null | undefined) => url?.split('/').at(-1) ?? 'none'
  return {
    project_id: project,
    batch_id: batch,
    'certificate batch_id': approved,
    open,
    approved,
    file_id: file,
    comment_id: await one(`select id from file_comments where file_id = '${file}' order by id desc limit 1`),
    estimate_id: await one(`select id from cost_estimates where status = 'draft' order by id desc limit 1`),
    link_id: link.id,
    review_link_id: reviewLink.id,
    share_link_id: share.id,
    stage_id: stage.id,
    view_id: view.id,
    check_id: await one(
      `select findings[1] as id from verdicts where batch_id = '${batch}' and findings <> '{}' order by 1 limit 1`,
    ),
    result_id: await one(`select id from pre_qc_results where file_id = '${file}' and is_current`),
    number: '1',
    agency_id: agency,
    campaign_id: await one(`select id from campaigns where agency_id = '${agency}' limit 1`),
    media_category_id: await one(`select media_category_id as id from batches where id = '${batch}'`),
    user_id: await one(`select id from users where email like 'scale-%' order by id limit 1`),
    token_id: await one(`select id from api_tokens order by id limit 1`),
    webhook_id: await one(`select id from webhooks order by id desc limit 1`),
    delivery_id: await one(`select id from webhook_deliveries order by id desc limit 1`),
    delivery_target_id: (
      await make<{ id: string }>('/api/delivery-targets', {
        name: `Scale ${batch} ${Date.now()}`,
        connection: { kind: 'http_put', url: 'https://files.example.com/' },
      })
    ).id,
    batch_delivery_id: '00000000-0000-7000-8000-000000000000',
    certificate_id: statement.id,
    destination_id: LIBRARY[0]?.id ?? 'none',
    run_id: (await make<{ id: string }>('/api/retention-runs', {})).id,
    hold_id:
      hold === 'none'
        ? (await make<{ id: string }>('/api/legal-holds', { project_id: project, reason: 'Bench' })).id
        : hold,
    upload_id: '00000000-0000-7000-8000-000000000000',
    pieces_id: '00000000-0000-7000-8000-000000000000',
    attachment_id: '00000000-0000-7000-8000-000000000000',
    path: 'index.html',
    section: 'batches',
    level: '0',
    column: '0',
    row: '0',
    'upload token': tokenOf(link.url),
    'review token': tokenOf(reviewLink.url),
    'share token': tokenOf(share.url),
    'estimate token': tokenOf(shared[0]?.client_url),
    'scorecard token': tokenOf(scorecard.url),
    token: 'AAAAAAAAAAAAAAAA',
    from: new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10),
  }
}

/** Every GET there is, plain, as a first page where it has pages, and with the QUESTIONS; and every page. */
function entriesFor(places: Record<string, string>): Entry[] {
  const served = INTERFACE.flatMap(({ paths }) => Object.entries(paths)).flatMap(([pattern, methods]) => {
    if (!methods.GET) return []
    const shape = 'input' in methods.GET ? (methods.GET.input as { shape?: object } | undefined)?.shape : undefined
    const queries = QUESTIONS[pattern] ?? (shape && 'limit' in shape ? ['', 'limit=50'] : [''])
    return queries.map((question) => (question ? `${pattern}?${question}` : pattern))
  })
  const pages = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => file.replace(/\/page\.tsx$/, '').replace(/\/\([^)]+\)/g, '') || '/')
    .map((file) => file.replace(/\[(\w+)\]/g, '{$1}'))
    .flatMap((pattern) =>
      (QUESTIONS[pattern] ?? ['']).map((question) => (question ? `${pattern}?${question}` : pattern)),
    )
    // The page of a batch is another while files arrive.
    .flatMap((pattern) =>
      pattern.endsWith('/{batch_id}') ? [pattern, pattern.replace('{batch_id}', '{open}')] : [pattern],
    )
  return [...served, ...pages].flatMap((pattern) => WHO.map((who) => ({ address: filled(pattern, places), who })))
}

function filled(pattern: string, places: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const kind =
      name === 'token' ? kindOf(pattern) : pattern.includes('/certificate') && name === 'batch_id' ? 'certificate ' : ''
    const value = places[kind + name]
    if (value === undefined) throw new Error(`The bench does not know what stands for ${name} in ${pattern}.`)
    return value
  })
}

/** Of what a token in a path is. */
function kindOf(pattern: string): string {
  if (/upload-links|^\/u\//.test(pattern)) return 'upload '
  if (/review-links|^\/r\//.test(pattern)) return 'review '
  if (/share-links|^\/d\//.test(pattern)) return 'share '
  if (/cost-estimates|^\/e\//.test(pattern)) return 'estimate '
  return /scorecards|^\/s\//.test(pattern) ? 'scorecard ' : ''
}

/** The same in databases of every size: names of places instead of what stands there. */
function keyOf({ address, who }: Entry, places: Record<string, string>): string {
  const named = Object.entries(places)
    .filter(([, value]) => value.length > 8)
    .reduce((text, [name, value]) => text.replaceAll(value, `{${name}}`), address)
  return `${named} (${who})`
}

async function get(product: Product, { address, who }: Entry, sessions: Record<Who, { Cookie: string }>) {
  const began = performance.now()
  const headers = { ...sessions[who], 'Accept-Encoding': 'identity' }
  const stop = new AbortController()
  const timeout = setTimeout(() => stop.abort(), TIMEOUT_MS)
  let bytes = 0
  let status = 0
  try {
    const response = await fetch(product.url + address, { headers, redirect: 'manual', signal: stop.signal })
    status = response.status
    // Events come without an end.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) stop.abort()
    else for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
  } catch {
    // Broken off: by us, or by a response whose bytes are not there.
    if (performance.now() - began >= TIMEOUT_MS) status = 0
  } finally {
    clearTimeout(timeout)
  }
  return { status, bytes, ms: performance.now() - began }
}

async function timed(
  product: Product & { pid: number },
  sql: Sql,
  entry: Entry,
  sessions: Record<Who, { Cookie: string }>,
): Promise<Cost> {
  const read = async () => {
    const web = webOf(product.pid)
    const ports = [...portsOf(web)]
    const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity where client_port = any(${ports})`
    return { web: processorTime(web), database: processorTime(backends.map(({ pid }) => pid)) }
  }
  let before = await read()
  let last = await get(product, entry, sessions)
  let repeats = 1
  if (last.ms < SLOW_MS) {
    before = await read()
    for (repeats = 0; repeats < REPEATS; repeats++) last = await get(product, entry, sessions)
  }
  const after = await read()
  return {
    ...last,
    web: spent(before.web, after.web) / repeats,
    database: spent(before.database, after.database) / repeats,
    blocks: 0,
    statements: 0,
    scans: {},
  }
}

function report(compared: number[], all: Costs[]) {
  const [small, large] = [all[0], all.at(-1)]
  if (!small || !large) return
  const over = (a: number, b: number, noise: number) => Math.max(b, noise) / Math.max(a, noise)
  const rows = [...large].map(([key, cost]) => {
    const base = small.get(key) ?? cost
    const ratios = {
      time: over(base.web + base.database, cost.web + cost.database, NOISE.ms),
      blocks: over(base.blocks, cost.blocks, NOISE.blocks),
      bytes: over(base.bytes, cost.bytes, NOISE.bytes),
    }
    return {
      key,
      base,
      cost,
      ratios,
      worst: cost.status === 0 ? Number.POSITIVE_INFINITY : Math.max(...Object.values(ratios)),
    }
  })
  rows.sort((a, b) => b.worst - a.worst)
  const arrow = (a: number, b: number, digits = 0) => `${a.toFixed(digits)} > ${b.toFixed(digits)}`
  console.log(
    `\n${compared[0]} > ${compared.at(-1)} files; ms of processor, blocks of 8 kB, bytes in kB; worst ratio first\n`,
  )
  console.log('ratio | web ms | database ms | blocks | statements | kB | status | sequential scans | address')
  for (const { key, base, cost, worst } of rows) {
    const scans = Object.entries(cost.scans).map(([table, count]) => `${table} ${count}`)
    console.log(
      [
        worst.toFixed(1),
        arrow(base.web, cost.web),
        arrow(base.database, cost.database),
        arrow(base.blocks, cost.blocks),
        arrow(base.statements, cost.statements),
        arrow(base.bytes / 1000, cost.bytes / 1000),
        cost.status || 'no answer',
        scans.join(', ') || '-',
        key,
      ].join(' | '),
    )
  }
  const kept = rows.filter(({ worst }) => worst <= 1.2).length
  console.log(
    `\n${kept} of ${rows.length} within 1.2 times; ${rows.filter(({ cost }) => Object.keys(cost.scans).length > 0).length} with sequential scans of more than ${SCANNED} rows.`,
  )
}
