import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { EnvironmentError, parseEnvironment, requireSharedSecret, SETTINGS, unknownSettings } from './env'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-env-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('settings', () => {
  it('need nothing: every one has a working default', () => {
    expect(parseEnvironment({})).toMatchObject({
      PORT: 3000,
      DATA_DIR: path.resolve('.data'),
      BASE_URL: 'http://localhost:3000',
      STORAGE: 'disk',
      WORKER: 'inline',
      MAX_FILE_SIZE: 10 * 1024 ** 3,
      INTEGRITY_WAIT: 60,
      DEMO: true,
      RATE_LIMITS: true,
      MEASURE_AHEAD: true,
    })
  })

  it.each([
    ['STORGE', 'STORAGE'],
    ['WORKERS', 'WORKER'],
    ['PROT', 'PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['S3_BUKCET', 'S3_BUCKET'],
    ['data_dir', 'DATA_DIR'],
    ['OTEL_EXPORTER_OTLP_ENDPIONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['OTEL_SERVICENAME', 'OTEL_SERVICE_NAME'],
  ])('refuse %s, a slip of the pen, and name %s', (name, meant) => {
    expect(() => parseEnvironment({ [name]: 'x' })).toThrow(
      `${name} is set, and there is no such setting. Did you mean ${meant}? Rename it, or start without ${name}.`,
    )
  })

  it('leave the variables of other programs alone', () => {
    const foreign =
      'HOST HOME USER PATH TERM AMQP_URL HTTP_URL REDIS_URL AWS_REGION POSTGRES_URL PGPORT PORT_3000 NODE_ENV'
    expect(() => parseEnvironment(Object.fromEntries(foreign.split(' ').map((name) => [name, 'x'])))).not.toThrow()
    // With the setting itself set, the other is another program's.
    expect(parseEnvironment({ WORKER: 'off', WORKERS: '4' }).WORKER).toBe('off')
    expect(parseEnvironment({ STORGE: '' }).STORAGE).toBe('disk')
  })

  it('name what looks like a setting by its prefix and is none', () => {
    expect(unknownSettings({ S3_BUCKET: 'a', S3_ACL: 'private', S3_HOST: '', AUTH_OIDC_SCOPES: 'email' })).toEqual([
      'S3_ACL is set, and there is no such setting; it is ignored. docs/running.md lists them all.',
      'AUTH_OIDC_SCOPES is set, and there is no such setting; it is ignored. docs/running.md lists them all.',
    ])
  })

  it('leave to the OpenTelemetry SDK what only it reads', () => {
    const read =
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_BSP_MAX_QUEUE_SIZE OTEL_BLRP_SCHEDULE_DELAY OTEL_METRIC_EXPORT_INTERVAL OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT OTEL_LOG_LEVEL'
    const source = Object.fromEntries(read.split(' ').map((name) => [name, 'x']))
    expect(() => parseEnvironment(source)).not.toThrow()
    expect(unknownSettings({ ...source, OTEL_EXPORTER_JAEGER_ENDPOINT: 'x' })).toEqual([
      'OTEL_EXPORTER_JAEGER_ENDPOINT is set, and there is no such setting; it is ignored. docs/running.md lists them all.',
    ])
  })

  it('treat an empty variable as one that is not set', () => {
    expect(parseEnvironment({ PORT: '', DATABASE_URL: ' ', DEMO: '' })).toMatchObject({ PORT: 3000, DEMO: true })
  })

  it('follow the port into the address, unless an address is given', () => {
    expect(parseEnvironment({ PORT: '4100' }).BASE_URL).toBe('http://localhost:4100')
    expect(parseEnvironment({ PORT: '4100', BASE_URL: 'https://qc.example.com/' }).BASE_URL).toBe(
      'https://qc.example.com',
    )
  })

  it.each([
    ['10GiB', 10 * 1024 ** 3],
    ['500MB', 500_000_000],
    ['1.5 GiB', 1.5 * 1024 ** 3],
    ['1048576', 1_048_576],
  ])('read %s as a size', (text, size) => {
    expect(parseEnvironment({ MAX_FILE_SIZE: text }).MAX_FILE_SIZE).toBe(size)
  })

  it.each([
    ['PORT', '99999', 'PORT is "99999": expected a port from 1 to 65535.'],
    ['PORT', 'http', 'PORT is "http": expected a port from 1 to 65535.'],
    [
      'MAX_FILE_SIZE',
      '10 gigs',
      'MAX_FILE_SIZE is "10 gigs": expected a size above zero such as 10GiB, 500MB or 1048576.',
    ],
    ['MAX_FILE_SIZE', '0', 'MAX_FILE_SIZE is "0": expected a size'],
    ['WORKER', 'yes', 'WORKER is "yes": expected inline or off.'],
    ['DEMO', '1', 'DEMO is "1": expected true or false.'],
    ['MEASURE_AHEAD', 'yes', 'MEASURE_AHEAD is "yes": expected on or off.'],
    ['RATE_LIMITS', 'true', 'RATE_LIMITS is "true": expected on or off.'],
    ['BASE_URL', 'qc.example.com', 'BASE_URL is "qc.example.com": expected an address such as https://qc.example.com.'],
    ['BASE_URL', 'https://example.com/qc', 'expected an address without a path'],
    ['DATABASE_URL', 'mysql://db/x', 'DATABASE_URL is "mysql://db/x": expected an address such as postgresql://'],
    ['INTEGRITY_WAIT', '-1', 'INTEGRITY_WAIT is "-1": expected a whole number of seconds from 0 to 3600.'],
  ])('refuse %s=%s with a sentence that names both', (name, value, sentence) => {
    expect(() => parseEnvironment({ [name]: value })).toThrow(EnvironmentError)
    expect(() => parseEnvironment({ [name]: value })).toThrow(sentence)
  })

  it('name every wrong variable at once', () => {
    expect(() => parseEnvironment({ PORT: 'x', WORKER: 'y' })).toThrow(/PORT is "x".*\n.*WORKER is "y"/s)
  })

  it('never show a secret', () => {
    const message = messageOf(() =>
      parseEnvironment({ AUTH_SECRET: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@db/x' }),
    )
    expect(message).toContain('AUTH_SECRET is set (7 characters, not shown)')
    expect(message).not.toContain('hunter2')
  })

  it('refuse a store without what it needs, naming it', () => {
    expect(() => parseEnvironment({ STORAGE: 's3' })).toThrow('S3_BUCKET is not set: STORAGE=s3 needs it.')
    expect(() => parseEnvironment({ STORAGE: 'uploadthing' })).toThrow('UPLOADTHING_TOKEN is not set')
    expect(() => parseEnvironment({ STORAGE: 's3', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'x' })).toThrow(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together',
    )
    expect(parseEnvironment({ STORAGE: 's3', S3_BUCKET: 'files' })).toMatchObject({ STORAGE: 's3' })
  })

  it('refuse uploads to the bucket without one', () => {
    expect(() => parseEnvironment({ UPLOADS: 'direct' })).toThrow('UPLOADS is "direct"')
    expect(parseEnvironment({ UPLOADS: 'direct', STORAGE: 's3', S3_BUCKET: 'files' }).UPLOADS).toBe('direct')
    expect(parseEnvironment({ UPLOADS: 'server' }).UPLOADS).toBe('server')
  })

  it('refuse half of an OIDC configuration, naming the other half', () => {
    expect(() => parseEnvironment({ AUTH_OIDC_ISSUER: 'https://login.example.com' })).toThrow(
      'AUTH_OIDC_CLIENT_ID and AUTH_OIDC_CLIENT_SECRET are not set',
    )
  })
})

test('docs/running.md names every setting', () => {
  const text = readFileSync('docs/running.md', 'utf8')
  expect(SETTINGS.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test('.env.example lists the settings, each once, and nothing else', () => {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^#?(\w+)=(.*)$/gm)
  const given = [...lines].map(([, name = '', value = '']) => [name, value] as const)
  expect(given.map(([name]) => name).sort()).toEqual([...SETTINGS].sort())
  // A reader who takes away the # in front of a default or an example gets a start that works.
  const examples = Object.fromEntries(given.filter(([, value]) => value !== ''))
  expect(() => parseEnvironment({ ...examples, AUTH_OIDC_ISSUER: '' })).not.toThrow()
})

it('a secret that machines share is not made up by one of them', () => {
  expect(() => requireSharedSecret({ DATA_DIR: dataDir })).toThrow('AUTH_SECRET is not set, and this data folder holds')
  expect(() => requireSharedSecret({ DATA_DIR: dataDir, AUTH_SECRET: 'x'.repeat(40) })).not.toThrow()
  void parseEnvironment({ DATA_DIR: dataDir }).AUTH_SECRET
  expect(() => requireSharedSecret({ DATA_DIR: dataDir })).not.toThrow()
})

describe('the secret that signs sessions', () => {
  it('is made once, stored for us alone, and the same for every process', () => {
    const first = parseEnvironment({ DATA_DIR: dataDir }).AUTH_SECRET
    expect(first).toHaveLength(43)
    expect(parseEnvironment({ DATA_DIR: dataDir }).AUTH_SECRET).toBe(first)
    const file = path.join(dataDir, 'auth-secret')
    expect(readFileSync(file, 'utf8').trim()).toBe(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is the one that was given, if one was', () => {
    const AUTH_SECRET = 'x'.repeat(40)
    expect(parseEnvironment({ DATA_DIR: dataDir, AUTH_SECRET }).AUTH_SECRET).toBe(AUTH_SECRET)
  })
})

describe('the address of the database', () => {
  it('is also the direct one, unless a pooler stands in between', () => {
    const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgresql://pooler/greenroom', 'postgresql://database/greenroom']
    expect(parseEnvironment({ DATABASE_URL })).toMatchObject({ DATABASE_DIRECT_URL: DATABASE_URL, isPooled: false })
    expect(parseEnvironment({ DATABASE_URL, DATABASE_DIRECT_URL })).toMatchObject({
      DATABASE_URL,
      DATABASE_DIRECT_URL,
      isPooled: true,
    })
    expect(() => parseEnvironment({ DATABASE_DIRECT_URL })).toThrow('DATABASE_URL is not set')
  })

  it('is that of the embedded one when none was given', () => {
    writeFileSync(path.join(dataDir, 'database-url'), 'postgresql://greenroom:x@127.0.0.1:5555/greenroom\n')
    expect(parseEnvironment({ DATA_DIR: dataDir }).DATABASE_URL).toBe(
      'postgresql://greenroom:x@127.0.0.1:5555/greenroom',
    )
  })

  it('says what to do when there is neither', () => {
    expect(() => parseEnvironment({ DATA_DIR: dataDir }).DATABASE_URL).toThrow(
      'run npm start once, or set DATABASE_URL',
    )
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('Expected a refusal.')
}
