import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Ajv from 'ajv'
import { DCLinter } from 'dclint'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { parseEnvironment, SETTINGS } from '@/lib/env'

const read = (file: string) => readFileSync(path.join('deploy', file), 'utf8')
const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
/** The commands that scripts/run.mjs knows, by name. */
const COMMANDS = Object.values(scripts).flatMap((script) => /^node scripts\/run\.mjs (\S+)/.exec(script)?.[1] ?? [])

/** Variables that are no settings of ours, and are set for a reason. */
const OF_OTHERS = ['NODE_ENV', 'NEXT_TELEMETRY_DISABLED']
const unknown = (names: string[]) => names.filter((name) => ![...SETTINGS, ...OF_OTHERS].includes(name))

describe('the compose file', () => {
  type Service = { image: string; command?: string[]; environment?: Record<string, string>; depends_on?: object }
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: object
  }
  const ours = Object.entries(services).filter(([, { image }]) => image === 'greenroom')

  it('starts commands that exist, with settings that exist, and each accepts them', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'web', 'worker'])
    for (const [, { command, environment }] of ours) {
      expect(COMMANDS).toContain(command?.[0])
      expect(unknown(Object.keys(environment ?? {}))).toEqual([])
      const given = Object.entries(environment ?? {}).map(([name, value]) => [name, filledIn(value)])
      expect(() => parseEnvironment(Object.fromEntries(given))).not.toThrow()
    }
  })

  it('asks for each secret instead of having one, and keeps what must last in volumes', () => {
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    const example = [...read('compose.env.example').matchAll(/^#?([A-Z]\w*)=/gm)].map(([, name]) => name)
    expect([...new Set(asked)].sort()).toEqual(example.sort())
    expect(read('compose.yaml')).not.toMatch(/(?:SECRET|PASSWORD)\w*: (?!\$\{\w+:\?\})/)
    expect(Object.keys(volumes)).toEqual(['database', 'objects'])
  })

  it('keeps to the schema of the Compose Specification', () => {
    expect(mistakesOf('deploy/compose.yaml')).toEqual([])
  })

  it.each([
    ['an unknown key', 'stop_grace_period', 'stop_grace_time'],
    ['a condition there is not', 'service_healthy', 'service_well'],
    ['an image in two ways', 'command: [web]', 'command: [web]\n    image: { name: greenroom }'],
  ])('is refused with %s', (_, right, wrong) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'compose-'))
    const file = path.join(folder, 'compose.yaml')
    writeFileSync(file, read('compose.yaml').replaceAll(right, wrong))
    expect(mistakesOf(file)).not.toEqual([])
    rmSync(folder, { recursive: true })
  })

  /** What the schema says against a file; the linter's rules of style (order of keys, say) are not ours. */
  const mistakesOf = (file: string) =>
    new DCLinter({ quiet: true, debug: false, exclude: [], rules: {} })
      .lintFiles([file], false)
      .flatMap(({ messages }) => messages)
      .filter(({ rule }) => rule === 'invalid-schema' || rule === 'invalid-yaml')
      .map(({ line, message }) => `${line}: ${message}`)

  /** As compose reads it, with values for what has no default. */
  function filledIn(value: string) {
    return value
      .replace(/\$\{BASE_URL:\?\}/, 'https://qc.example.com')
      .replace(/\$\{\w+:-(.*?)\}/g, '$1')
      .replace(/\$\{\w+:\?\}/g, 'x'.repeat(40))
  }
})

describe('the image', () => {
  /** Each instruction on one line, without comments. */
  const instructionsOf = (text: string) =>
    text
      .replaceAll(/^\s*#.*\n/gm, '')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))

  /** What hadolint would say, by its numbers (github.com/hadolint/hadolint); DL3008 left out: Debian keeps one version. */
  const RULES: Record<string, (all: { name: string; rest: string }[]) => boolean> = {
    'DL1000 only instructions that there are': (all) =>
      all.every(({ name }) =>
        /^(?:ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|STOPSIGNAL|USER|VOLUME|WORKDIR)$/.test(name),
      ),
    'DL3000 absolute WORKDIR': (all) => of(all, 'WORKDIR').every((folder) => folder.startsWith('/')),
    'DL3002 the last user is not root': (all) => !/^(?:root|0)?$/.test(of(all, 'USER').at(-1) ?? ''),
    'DL3003 WORKDIR instead of cd': (all) => of(all, 'RUN').every((run) => !/(?:^|&& )cd /.test(run)),
    'DL3004 no sudo': (all) => of(all, 'RUN').every((run) => !/\bsudo\b/.test(run)),
    'DL3006, DL3007 images have a tag, and not latest': (all) =>
      of(all, 'FROM').every((image) => /^\S+:(?!latest)\S+/.test(image)),
    'DL3009 no lists of packages stay': (all) =>
      of(all, 'RUN').every((run) => !run.includes('apt-get update') || run.includes('rm -rf /var/lib/apt/lists/*')),
    'DL3014, DL3015 apt-get asks nothing, and installs what is named': (all) =>
      of(all, 'RUN').every(
        (run) => !run.includes('apt-get install') || /install --yes --no-install-recommends /.test(run),
      ),
    'DL3020 COPY instead of ADD': (all) => of(all, 'ADD').length === 0,
    'DL3022 COPY --from names a stage': (all) => {
      const stages = of(all, 'FROM').flatMap((image) => / AS (\w+)$/.exec(image)?.[1] ?? [])
      return of(all, 'COPY').every((copy) => {
        const from = /--from=(\w+)/.exec(copy)?.[1]
        return from === undefined || stages.includes(from)
      })
    },
    'DL3025 CMD and ENTRYPOINT are JSON': (all) =>
      [...of(all, 'CMD'), ...of(all, 'ENTRYPOINT')].every((command) => Array.isArray(JSON.parse(command))),
    'DL3027 apt-get instead of apt': (all) => of(all, 'RUN').every((run) => !/\bapt (?:install|update)/.test(run)),
    'DL4000 no MAINTAINER': (all) => of(all, 'MAINTAINER').length === 0,
    'DL4003, DL4004 one CMD and one ENTRYPOINT': (all) =>
      of(all, 'CMD').length <= 1 && of(all, 'ENTRYPOINT').length <= 1,
    'DL4006 no pipe hides a failure': (all) => of(all, 'RUN').every((run) => !/[^|]\|[^|]/.test(run)),
  }
  const of = (all: { name: string; rest: string }[], name: string) =>
    all.filter((each) => each.name === name).map(({ rest }) => rest)
  const broken = (text: string) =>
    Object.entries(RULES)
      .filter(([, holds]) => !holds(instructionsOf(text)))
      .map(([rule]) => rule.split(' ')[0])

  it('keeps the rules of hadolint', () => {
    expect(broken(read('Dockerfile'))).toEqual([])
  })

  it.each([
    ['FROM node', 'DL3006,'],
    ['FROM node:latest', 'DL3006,'],
    ['FROM node:22\nRUN cd /tmp && ls', 'DL3003'],
    ['FROM node:22\nRUN apt-get update && apt-get install --yes --no-install-recommends tini', 'DL3009'],
    ['FROM node:22\nRUN apt-get install tini', 'DL3014,'],
    ['FROM node:22\nADD . /app', 'DL1000'],
    ['FROM node:22\nCOPY --from=made . /app', 'DL3022'],
    ['FROM node:22\nRUN cat a | \\\n  sh', 'DL4006'],
    ['FROM node:22\nUSER root', 'DL3002'],
  ])('%j would break %s', (text, rule) => {
    expect(broken(`${text}\n${text.includes('USER') ? '' : 'USER node'}`)).toContain(rule)
  })

  it('is made of what the repository has', () => {
    const copied = of(instructionsOf(read('Dockerfile')), 'COPY')
      .filter((copy) => !copy.startsWith('--from='))
      .flatMap((copy) => copy.split(' ').slice(0, -1))
    expect(copied).toEqual(['package.json', 'package-lock.json', '.'])
    for (const file of copied) expect(existsSync(file)).toBe(true)
  })

  it('starts a command that exists, as an ordinary user, without a secret', () => {
    const last = instructionsOf(read('Dockerfile')).filter(({ name }) =>
      ['USER', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD'].includes(name),
    )
    expect(last.map(({ name, rest }) => `${name} ${rest}`)).toEqual([
      'USER node',
      'STOPSIGNAL SIGTERM',
      'ENTRYPOINT ["tini", "--", "node", "scripts/run.mjs"]',
      'CMD ["web"]',
    ])
    expect(COMMANDS).toContain('web')
    expect(read('Dockerfile')).not.toMatch(/^(?:ARG|ENV).*(?:SECRET|PASSWORD|TOKEN|KEY)/m)
    // What git does not keep does not get into an image either.
    const left = read('Dockerfile.dockerignore').split('\n')
    for (const name of ['.env*', '.data', '.git', 'node_modules', '.next']) expect(left).toContain(name)
  })
})

describe('the units of systemd', () => {
  it.each(readdirSync('deploy/systemd'))(
    '%s starts a command that exists, and lets decoders make namespaces',
    (file) => {
      const unit = read(`systemd/${file}`)
      const command = /^ExecStart=\/usr\/bin\/node scripts\/run\.mjs (\S+)$/m.exec(unit)?.[1]
      expect(COMMANDS).toContain(command)
      const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, all = '']) => all.split(' '))
      expect(unknown(set.map((pair) => pair.split('=')[0] ?? ''))).toEqual([])
      expect(unit).not.toMatch(/^(?:RestrictNamespaces|MemoryDenyWriteExecute|ProcSubset|PrivateUsers)=/m)
    },
  )
})

describe('the Helm chart', () => {
  const values = parse(read('helm/greenroom/values.yaml'))
  const schema = JSON.parse(read('helm/greenroom/values.schema.json'))
  // Ajv knows draft 07 by another spelling of its address.
  const problemsOf = (given: object) => {
    const ajv = new Ajv({ strict: false })
    return ajv.validate({ ...schema, $schema: undefined }, given)
      ? []
      : (ajv.errors ?? []).map(({ message }) => message)
  }
  const templates = readdirSync('deploy/helm/greenroom/templates').map((file) =>
    read(`helm/greenroom/templates/${file}`),
  )

  it('has values that its schema accepts, and that schema refuses a secret where every user sees it', () => {
    expect(problemsOf(values)).toEqual([])
    for (const name of ['AUTH_SECRET', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY', 'SMTP_URL'])
      expect(problemsOf({ ...values, settings: { ...values.settings, [name]: 'x' } })).not.toEqual([])
    expect(problemsOf({ ...values, replicas: 3 })).not.toEqual([])
    expect(unknown(Object.keys(values.settings))).toEqual([])
  })

  it('reads only values that there are', () => {
    const named = templates.flatMap((text) => [...text.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, name = '']) => name))
    expect(named.length).toBeGreaterThan(40)
    const missing = [...new Set(named)].filter((name) => {
      // Of `secrets` and `settings` each installation has its own.
      const [first = '', ...rest] = name.slice(1).split('.')
      const isThere = [first, ...rest].reduce((found, key) => found?.[key], values) !== undefined
      return !isThere && !(first === 'secrets' && rest.every((key) => SETTINGS.includes(key)))
    })
    expect(missing).toEqual([])
  })

  it('starts commands that exist, and asks the addresses of health', () => {
    const text = templates.join('\n')
    const started = [...text.matchAll(/args: \[(\w+)\]/g)].map(([, command]) => command)
    expect(started.sort()).toEqual(['migrate', 'web', 'worker'])
    const asked = [...text.matchAll(/httpGet: \{ path: (\S+),/g)].map(([, address]) => address)
    expect(new Set(asked)).toEqual(new Set(['/api/health/live', '/api/health/ready']))
    for (const address of asked) expect(readdirSync(path.join('app', String(address)))).toContain('route.ts')
  })
})

test('the page names every file of deploy/, and no other', () => {
  const page = readFileSync('docs/deploying.md', 'utf8')
  const linked = [...page.matchAll(/\]\(\.\.\/deploy\/([\w./]+)\)/g)].map(([, file]) => file)
  for (const file of linked)
    expect(readdirSync(path.join('deploy', path.dirname(String(file))))).toContain(path.basename(String(file)))
  expect(linked.sort()).toEqual(['compose.yaml', 'helm/greenroom', 'proxy/Caddyfile', 'proxy/nginx.conf'])
})
