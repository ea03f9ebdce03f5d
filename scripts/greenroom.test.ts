import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wav } from '@/fixtures/audio'
import { iccChunk, profile as iccProfile, png } from '@/fixtures/images'
import type { FileReport } from '@/lib/command-line/check-files'

const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-command-'))
const dataDir = path.join(folder, 'data')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * The command as a person types it, from the folder of the files; there is no database where the settings say. From its
 * source: what `npx` starts is bundled, and a build may be writing the bundles anew beside this test.
 */
async function greenroom(...args: string[]) {
  const { BASE_URL: _vite, ...rest } = process.env
  const env = { ...rest, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', DATA_DIR: dataDir }
  const options = { env, timeout: 240_000, maxBuffer: 32 * 1024 * 1024 }
  const command = `import { main } from './scripts/greenroom.ts'
    await main(process.argv.slice(1), ${JSON.stringify(folder)})`
  const node = ['--import', 'tsx', '--input-type=module', '--eval', command, '--']
  try {
    const { stdout, stderr } = await run(process.execPath, [...node, ...args], options)
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** What a build server or a script reads of the same run. */
async function reports(...args: string[]) {
  const { code, stdout } = await greenroom('check', ...args, '--json')
  const { files, totals } = JSON.parse(stdout) as { files: FileReport[]; totals: object }
  return { code, files, totals }
}

const HOSTILE = 'a"<b>&\u001b[31m.png'

beforeAll(() => {
  const image = (width: number, height: number) =>
    png(width, height, (x, y) => [(x * 7) % 256, (y * 5) % 256, (x * y) % 256], {
      chunks: [iccChunk(iccProfile('sRGB', 'srgb'))],
    })
  const whole = image(300, 250)
  writeFileSync(path.join(folder, 'square.png'), image(1200, 1200))
  writeFileSync(path.join(folder, 'wide.png'), image(700, 200))
  writeFileSync(path.join(folder, 'cut.png'), whole.subarray(0, whole.length >> 1))
  writeFileSync(path.join(folder, HOSTILE), whole.subarray(0, whole.length >> 1))
  writeFileSync(
    path.join(folder, 'tone.wav'),
    wav(4, (time) => 0.1 * Math.sin(2 * Math.PI * 440 * time)),
  )
  mkdirSync(path.join(folder, 'folder'))
  const specification = (fields: object) => ({
    id: 'own_wall',
    version: 3,
    title: 'Own wall',
    family: 'out_of_home',
    kinds: ['image'],
    source: { publisher: 'Own', document: 'Wall', date: '2026', url: 'https://example.com/wall' },
    maintained_by: 'Ann',
    requirements: [{ check: 'dimension_check', thresholds: { min_width: 1000 }, clause: '4.2 Size' }],
    ...fields,
  })
  const write = (name: string, document: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(document, null, 2))
  write('wall.json', specification({}))
  write('broken.json', specification({ family: 'radio' }))
  write('profile.json', {
    enabled: true,
    checks: { dimension_check: { severity: 'fail', thresholds: { min_width: 1000 } } },
  })
  write('misspelt.json', { checks: { dimension_check: { thresholds: { min_widht: 1000 } } } })
})

describe('greenroom check', () => {
  it('says of each file which destinations it fits and by which clause not, and ends with 1', async () => {
    const { code, files, totals } = await reports('square.png', 'wide.png', '--destination', 'wall.json')
    expect(code).toBe(1)
    expect(totals).toEqual({ files: 2, passes: 1, fails: 1, undecided: 0 })
    expect(files.map(({ file, outcome, summary }) => [file, outcome, summary])).toEqual([
      ['square.png', 'passes', null],
      ['wide.png', 'fails', null],
    ])
    expect(files[1]?.destinations).toMatchObject([
      {
        destination_id: 'own_wall',
        version: 3,
        verdict: 'does_not_fit',
        requirements: [{ clause: '4.2 Size', outcome: 'not_met', measured: '700x200' }],
      },
    ])
  })

  it('takes the library by id, several at once, and reads no database and no data folder', async () => {
    const { code, files } = await reports('tone.wav', '--destination', 'ebu_r128', '--destination', 'wall.json')
    expect(code).toBe(1)
    expect(files[0]?.destinations.map(({ destination_id }) => destination_id)).toEqual(['ebu_r128', 'own_wall'])
    const loudness = files[0]?.destinations[0]?.requirements.find(({ check_id }) => check_id === 'loudness_check')
    expect(loudness?.measured).toEqual(expect.any(Number))
    expect(existsSync(dataDir)).toBe(false)
  })

  it('checks by the profile of a media category, and by the default one where nothing is asked', async () => {
    const own = await reports('square.png', 'wide.png', '--profile', 'profile.json')
    expect([own.code, ...own.files.map(({ summary }) => summary)]).toEqual([1, 'pass', 'fail'])
    const byDefault = await reports('square.png')
    expect([byDefault.code, byDefault.files[0]?.summary]).toEqual([0, 'pass'])
    expect(byDefault.files[0]?.checks.map(({ check_id }) => check_id)).toContain('integrity_check')
  })

  it('says nothing but that it is damaged of a file that is not whole', async () => {
    const { code, files } = await reports('cut.png', '--profile', 'profile.json', '--destination', 'wall.json')
    expect(code).toBe(1)
    expect(files[0]?.checks.map(({ check_id, status }) => [check_id, status])).toEqual([['integrity_check', 'fail']])
    expect(files[0]?.destinations[0]?.requirements.map(({ check_id }) => check_id)).toEqual(['integrity_check'])
  })

  it('ends with 3 where nothing fails and something could not be decided', async () => {
    // What a quick measurement leaves out cannot be decided.
    writeFileSync(path.join(folder, 'quick.json'), JSON.stringify({ depth: 'quick', checks: {} }))
    const { code, totals } = await reports('tone.wav', '--profile', 'quick.json', '--destination', 'ebu_r128')
    expect(totals).toMatchObject({ fails: 0, undecided: 1 })
    expect(code).toBe(3)
  })

  it('prints the same for people, and a hostile name steers no terminal', async () => {
    const { code, stdout } = await greenroom('check', HOSTILE, 'wide.png', '--destination', 'wall.json')
    expect(code).toBe(1)
    expect(stdout).toContain('Own wall (version 3): Does not fit')
    expect(stdout).toContain('4.2 Size')
    expect(stdout).toContain('2 files: 0 passed, 2 failed, 0 undecided')
    expect(stdout).not.toContain('\u001b')
  })

  it('writes JUnit that holds whatever a name holds', async () => {
    const { code, stdout } = await greenroom('check', HOSTILE, 'square.png', '--destination', 'wall.json', '--junit')
    expect(code).toBe(1)
    expect(stdout).toContain('<testsuite name="a&quot;&lt;b&gt;&amp;\ufffd[31m.png" tests="1" failures="1"')
    expect(stdout).toContain('<testsuite name="square.png" tests="1" failures="0" errors="0" skipped="0">')
    expect(stdout).toContain('classname="own_wall.dimension_check" name="Dimensions (4.2 Size)"')
    expect(stdout).not.toContain('\u001b')
  })

  it('writes SARIF with a result for each clause that is not met', async () => {
    const { stdout } = await greenroom('check', 'wide.png', 'square.png', '--destination', 'wall.json', '--sarif')
    const { version, runs } = JSON.parse(stdout)
    expect(version).toBe('2.1.0')
    expect(runs[0].tool.driver).toMatchObject({ name: 'Greenroom', rules: [{ id: 'dimension_check' }] })
    expect(runs[0].results).toMatchObject([
      {
        ruleId: 'dimension_check',
        kind: 'fail',
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'wide.png' } } }],
      },
    ])
  })

  it.each([
    [['check'], 'Name at least one file.'],
    [['check', 'none.png', 'square.png'], 'There is no file “none.png”.'],
    [['check', 'folder'], '“folder” is a folder. Name the files in it.'],
    [['check', 'square.png', '--destination', 'nowhere'], 'There is no destination “nowhere”.'],
    [['check', 'square.png', '--destination', 'broken.json'], 'broken.json:5: family must be one of'],
    [['check', 'square.png', '--profile', 'misspelt.json'], 'misspelt.json:5: Dimensions: '],
    [['check', 'square.png', '--profile', 'square.png'], 'square.png:1: This is not JSON.'],
    [['check', 'square.png', '--json', '--sarif'], 'One format at a time'],
    [['chek', 'square.png'], 'There is no command “chek square.png”.'],
  ])('%j is refused with a reason, before anything is checked', async (args, reason) => {
    const { code, stdout, stderr } = await greenroom(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(reason)
    expect(stderr).toContain('Usage:')
  })

  it.each([[['--help']], [['check', '--help']], [['check', '-h', 'none.png']]])('%j prints the usage', async (args) => {
    expect(await greenroom(...args)).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:'), stderr: '' })
  })

  it('lists the destinations of the library', async () => {
    const { code, stdout } = await greenroom('destinations')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ebu_r128 +EBU R 128/m)
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(50)
  })
})
