// `npm test`: lint, unused code, types and vitest side by side, then the stories in a real browser against the product as `npm start` runs it.
// Arguments choose files for vitest and stories alike: npm test -- lib/env e2e/sign-in
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureInstalled, requireNode, root } from '../server/build/installed.mjs'

requireNode()
process.chdir(root)
ensureInstalled()

const reports = mkdtempSync(path.join(tmpdir(), 'greenroom-reports-'))
const vitestReport = path.join(reports, 'vitest.json')
const storiesReport = path.join(reports, 'stories.json')
const chosen = process.argv.slice(2)
const stories = chosen.filter((name) => name.startsWith('e2e'))
const units = chosen.filter((name) => !name.startsWith('e2e'))
const wanted = (mine) => chosen.length === 0 || mine.length > 0

const results = []
const failures = []
// vitest often waits for processes and timers; the compiler and the build use that time. They follow each other, because
// both write the types of the routes.
await Promise.all([checkTypes().then(build), runUnits()])
if (wanted(stories)) {
  const code = await run('@playwright/test', ['test', ...stories], 'playwright', {
    GREENROOM_STORIES_REPORT: storiesReport,
  })
  results.push({ name: 'stories', ...settle(code, countStories(storiesReport)) })
}
rmSync(reports, { recursive: true, force: true })

const sum = (key) => results.reduce((total, result) => total + result[key], 0)
console.log()
for (const failure of failures) console.log(`${failure}\n`)
for (const { name, passed, failed } of results) console.log(`${name}: ${passed} passed, ${failed} failed`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1)

async function checkTypes() {
  if (chosen.length > 0) return
  await check('lint', '@biomejs/biome', ['check', '--diagnostic-level=error'], 'biome')
  await check('unused code', 'knip', ['--no-progress'])
  const code = await run('next', ['typegen'])
  if (code === 0) await check('types', 'typescript', ['--noEmit'], 'tsc')
  else results.push({ name: 'types', passed: 0, failed: 1 })
}

/** Counts as one test; what it said is repeated at the end, where it failed. */
async function check(name, pkg, args, program = pkg) {
  let said = ''
  const code = await run(pkg, args, program, {}, (text) => {
    said += text
    process.stdout.write(text)
  })
  results.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 })
  if (code !== 0) failures.push([`failed: ${name}`, ...said.trim().split('\n').slice(0, 40)].join('\n'))
}

/** What the stories would begin with. Should it fail, they try again and say why they cannot start. */
async function build() {
  if (wanted(stories)) await run('tsx', ['scripts/build.ts'])
}

async function runUnits() {
  if (!wanted(units)) return
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const code = await run('vitest', ['run', ...reporters, ...units])
  results.push({ name: 'vitest', ...settle(code, countVitest(vitestReport)) })
}

/** Runs the program of an installed package; its exit code, never null. `hear` gets what it says. */
function run(pkg, args, program = pkg, env = {}, hear = undefined) {
  const folder = path.join(root, 'node_modules', pkg)
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = path.join(folder, typeof bin === 'string' ? bin : bin[program])
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    stdio: ['ignore', hear ? 'pipe' : 'inherit', hear ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: '1' },
  })
  for (const stream of hear ? [child.stdout, child.stderr] : []) stream.setEncoding('utf8').on('data', hear)
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** A runner that failed without a failed test (nothing collected, a crash, an error between tests) failed all the same. */
function settle(code, { passed, failed }) {
  const nothing = passed + failed === 0
  return { passed, failed: failed === 0 && (code !== 0 || nothing) ? 1 : failed }
}

function countVitest(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  // A file that cannot even be imported fails without having a test that could.
  const broken = report.testResults.filter((each) => each.status === 'failed' && each.assertionResults.length === 0)
  for (const { name, message } of broken) nameFailure(name, message)
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') nameFailure(`${name} > ${fullName}`, failureMessages.join('\n'))
    }
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** Failures are kept for the end: the output of the stories comes between vitest's own words and the last line. */
function nameFailure(name, message) {
  const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
  failures.push([`failed: ${path.relative(root, name)}`, ...lines.slice(0, 12)].join('\n'))
}

/** Stories that passed at their second attempt only are named; more than two of them are a failure. */
function countStories(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0 }
  const { suites, stats, errors } = JSON.parse(readFileSync(file, 'utf8'))
  const repeated = suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
  for (const { file, line, title } of repeated) console.log(`passed at the second attempt: ${file}:${line} ${title}`)
  const tooMany = repeated.length > 2 ? repeated.length : 0
  return { passed: stats.expected + stats.flaky - tooMany, failed: stats.unexpected + errors.length + tooMany }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}
