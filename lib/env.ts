import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { z } from 'zod'

/** A setting is missing or wrong. The message is for the user who started the program: variable, value, what is expected. */
export class EnvironmentError extends Error {}

const UNITS: Record<string, number> = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}

const oneOf = <const T extends [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `expected ${values.join(' or ')}` })

const integer = (min: number, max: number, unit = 'a whole number') =>
  z
    .string()
    .regex(/^\d+$/, `expected ${unit} from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected ${unit} from ${min} to ${max}`)

const bytes = z.string().transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text)
  const unit = UNITS[match?.[2] ?? '?']
  const value = match && unit ? Math.floor(Number(match[1]) * unit) : 0
  if (value >= 1 && Number.isSafeInteger(value)) return value
  context.addIssue({ code: 'custom', message: 'expected a size above zero such as 10GiB, 500MB or 1048576' })
  return z.NEVER
})

const address = (example: string, ...protocols: string[]) =>
  z.string().refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
  }, `expected an address such as ${example}`)

/** As OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS are written: the format of W3C Baggage. */
const pairs = z
  .string()
  .regex(/^\s*[^=,\s]+\s*=[^,]*(?:,\s*[^=,\s]+\s*=[^,]*)*$/, 'expected pairs such as name=value,other=value')

const collector = address('http://localhost:4318', 'http:', 'https:').optional()

const sent = oneOf('otlp', 'none').optional()

const schema = z.object({
  PORT: integer(1, 65_535, 'a port').default(3000),
  DATABASE_URL: address('postgresql://user:password@host:5432/greenroom', 'postgresql:', 'postgres:').optional(),
  DATABASE_DIRECT_URL: address('postgresql://user:password@host:5432/greenroom', 'postgresql:', 'postgres:').optional(),
  DATA_DIR: z
    .string()
    .default('./.data')
    .transform((folder) => path.resolve(folder)),
  BASE_URL: address('https://qc.example.com', 'http:', 'https:')
    .refine(
      (text) => /^https?:\/\/[^/?#]+\/?$/.test(text),
      'expected an address without a path, such as https://qc.example.com',
    )
    .transform((text) => text.replace(/\/$/, ''))
    .optional(),
  AUTH_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters, such as `openssl rand -base64 32` prints')
    .optional(),
  STORAGE: oneOf('disk', 's3', 'uploadthing').default('disk'),
  S3_ENDPOINT: address('https://s3.eu-central-1.amazonaws.com', 'http:', 'https:').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(/^(?:[\w.-]+\/)*$/, 'expected folders that end with a slash, such as greenroom/')
    .optional(),
  S3_PATH_STYLE: oneOf('true', 'false')
    .transform((text) => text === 'true')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_S3_ENDPOINT: address('https://s3.eu-central-1.amazonaws.com', 'http:', 'https:').optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  UPLOADTHING_TOKEN: z.string().optional(),
  OBJECT_CACHE: bytes.default(4 * 2 ** 30),
  UPLOADS: oneOf('direct', 'server').optional(),
  DOWNLOADS: oneOf('through', 'redirect').default('through'),
  WORKER: oneOf('inline', 'off').default('inline'),
  WORKER_CONCURRENCY: integer(1, 256, 'a whole number of files').default(Math.max(2, availableParallelism())),
  WEB_PROCESSES: integer(1, 64, 'a whole number of processes').default(Math.min(4, availableParallelism())),
  SMTP_URL: address('smtp://user:password@mail.example.com:587', 'smtp:', 'smtps:').optional(),
  MAIL_FROM: z.email('expected an address such as greenroom@example.com').optional(),
  CLAMD_URL: address('tcp://127.0.0.1:3310', 'tcp:').optional(),
  CHROMIUM_PATH: z.string().optional(),
  SANDBOX: oneOf('auto', 'strict').default('auto'),
  WEBHOOK_PRIVATE_ADDRESSES: oneOf('refuse', 'allow').default('refuse'),
  DELIVERY_PRIVATE_ADDRESSES: oneOf('refuse', 'allow').default('refuse'),
  MAX_FILE_SIZE: bytes.default(10 * 2 ** 30),
  INTEGRITY_WAIT: integer(0, 3600, 'a whole number of seconds').default(60),
  MEASURE_AHEAD: oneOf('on', 'off')
    .default('on')
    .transform((text) => text === 'on'),
  DEMO: oneOf('true', 'false')
    .default('true')
    .transform((text) => text === 'true'),
  DEMO_PASSWORD: z.string().min(8, 'expected at least 8 characters').optional(),
  RATE_LIMITS: oneOf('on', 'off')
    .default('on')
    .transform((text) => text === 'on'),
  TRUST_PROXY: oneOf('true', 'false')
    .default('false')
    .transform((text) => text === 'true'),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error').default('info'),
  AUTH_OIDC_ISSUER: address('https://login.example.com', 'https:', 'http:').optional(),
  AUTH_OIDC_CLIENT_ID: z.string().optional(),
  AUTH_OIDC_CLIENT_SECRET: z.string().optional(),
  AUTH_OIDC_NAME: z.string().default('single sign-on'),
  // The standard's own; the OpenTelemetry SDK reads them (lib/adapters/telemetry.mjs), here they are only checked.
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/protobuf', 'http/json').optional(),
  OTEL_TRACES_EXPORTER: sent,
  OTEL_METRICS_EXPORTER: sent,
  OTEL_LOGS_EXPORTER: sent,
  OTEL_TRACES_SAMPLER: oneOf(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0?\.\d+|0|1(?:\.0+)?)$/, 'expected a share from 0 to 1, such as 0.1')
    .optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_SDK_DISABLED: oneOf('true', 'false').optional(),
})

/** Every setting, as `.env.example` and docs/running.md list them. */
export const SETTINGS = Object.keys(schema.shape)

type Parsed = z.output<typeof schema>

/**
 * The settings as the program uses them: sizes in bytes, INTEGRITY_WAIT in seconds, DATA_DIR absolute, BASE_URL without
 * a trailing slash. DATABASE_URL is that of the embedded database when none was given, DATABASE_DIRECT_URL the same
 * unless DATABASE_URL leads to a pooler.
 */
export type Environment = Omit<Parsed, 'BASE_URL' | 'AUTH_SECRET' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'> & {
  BASE_URL: string
  readonly AUTH_SECRET: string
  readonly DATABASE_URL: string
  readonly DATABASE_DIRECT_URL: string
  /** Whether DATABASE_URL leads to a pooler in transaction mode: nothing may be left behind on one of its connections. */
  readonly isPooled: boolean
}

const SECRET = /SECRET|PASSWORD|TOKEN|ACCESS_KEY|HEADERS/

/**
 * Reads the settings from `source`. Throws EnvironmentError with one sentence for each wrong variable.
 * Touches the disk only when AUTH_SECRET or DATABASE_URL is asked for and was not given.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  // An empty variable is one that is not set: that is how compose files and shells leave things out.
  const given = Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = source[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const result = schema.safeParse(given)
  if (!result.success) {
    const sentences = result.error.issues.map(({ path: [name], message }) => {
      const value = given[String(name)] ?? ''
      return `${String(name)} is ${quote(String(name), value)}: ${message}.`
    })
    throw new EnvironmentError(sentences.join('\n'))
  }
  const parsed = result.data
  refuseMisspelt(source)
  refuseUnfinished(parsed)
  const databaseUrl = () => parsed.DATABASE_URL ?? embeddedDatabaseUrl(parsed.DATA_DIR)
  return {
    ...parsed,
    isPooled: parsed.DATABASE_DIRECT_URL !== undefined,
    BASE_URL: parsed.BASE_URL ?? `http://localhost:${parsed.PORT}`,
    get AUTH_SECRET() {
      return parsed.AUTH_SECRET ?? storedSecret(parsed.DATA_DIR)
    },
    get DATABASE_URL() {
      return databaseUrl()
    },
    get DATABASE_DIRECT_URL() {
      return parsed.DATABASE_DIRECT_URL ?? databaseUrl()
    },
  }
}

/** The settings of this process, read from process.env when first asked for: a build needs none of them. */
export const env: Environment = new Proxy({} as Environment, {
  get: (_, name) => Reflect.get(settings(), name),
  has: (_, name) => Reflect.has(settings(), name),
})

/** Names the build that serves a request, null where Next has built nothing. No setting: next.config.mjs puts it in. */
export const BUILD = process.env.GREENROOM_BUILD ?? null

let read: Environment | undefined

function settings(): Environment {
  read ??= parseEnvironment(process.env)
  return read
}

function refuseUnfinished(parsed: Parsed) {
  const storage = {
    disk: [],
    s3: ['S3_BUCKET'],
    uploadthing: ['UPLOADTHING_TOKEN'],
  } as const
  for (const name of storage[parsed.STORAGE]) {
    if (!parsed[name]) throw new EnvironmentError(`${name} is not set: STORAGE=${parsed.STORAGE} needs it.`)
  }
  if (parsed.DATABASE_DIRECT_URL && !parsed.DATABASE_URL) {
    throw new EnvironmentError(
      'DATABASE_URL is not set: DATABASE_DIRECT_URL is only the way around a pooler, which DATABASE_URL leads to.',
    )
  }
  if (parsed.UPLOADS === 'direct' && parsed.STORAGE !== 's3')
    throw new EnvironmentError(
      `UPLOADS is "direct": only a bucket takes files from clients itself. Set STORAGE=s3, or leave UPLOADS out.`,
    )
  for (const prefix of ['S3', 'BACKUP_S3'] as const) {
    const [id, secret] = [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`] as const
    if (Boolean(parsed[id]) !== Boolean(parsed[secret])) {
      throw new EnvironmentError(`${id} and ${secret} go together; set both, or neither.`)
    }
  }
  const oidc = ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_CLIENT_ID', 'AUTH_OIDC_CLIENT_SECRET'] as const
  const missing = oidc.filter((name) => !parsed[name])
  if (missing.length > 0 && missing.length < oidc.length) {
    throw new EnvironmentError(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: sign-in by OIDC needs ${oidc.join(', ')} together.`,
    )
  }
}

/**
 * For processes that share a service with others: a secret that one of them made up for itself would open nothing.
 * @throws EnvironmentError when AUTH_SECRET was not given, and no start has made one in this data folder
 */
export function requireSharedSecret(source: Record<string, string | undefined>) {
  if (source.AUTH_SECRET?.trim() || existsSync(path.join(parseEnvironment(source).DATA_DIR, 'auth-secret'))) return
  throw new EnvironmentError(
    'AUTH_SECRET is not set, and this data folder holds none. Set the same one on every machine; `openssl rand -base64 32` prints one.',
  )
}

/** Signs sessions and seals stored tokens, so it must outlive the process: made once, then read from the data folder. */
function storedSecret(dataDir: string): string {
  const file = path.join(dataDir, 'auth-secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    try {
      // A link never replaces: of two processes that start at once, both end up reading the same secret.
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFileSync(file, 'utf8').trim()
}

function embeddedDatabaseUrl(dataDir: string): string {
  const file = path.join(dataDir, 'database-url')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new EnvironmentError(
    `DATABASE_URL is not set, and ${dataDir} holds no database of its own yet: run npm start once, or set DATABASE_URL.`,
  )
}

/** Variables that are ours by their beginning: one of them that is no setting was meant to be one. */
const OUR_PREFIX = /^(?:S3|BACKUP_S3|AUTH_OIDC|UPLOADTHING|OTEL)_/

/**
 * What else the OpenTelemetry SDK reads:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
const READ_BY_SDK = new RegExp(
  `^OTEL_(?:${[
    'EXPORTER_OTLP_(?:(?:TRACES|METRICS|LOGS)_)?(?:HEADERS|PROTOCOL|TIMEOUT|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE)',
    'EXPORTER_OTLP_METRICS_(?:TEMPORALITY_PREFERENCE|DEFAULT_HISTOGRAM_AGGREGATION)',
    'BLRP_(?:SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)',
    'BSP_(?:SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)',
    'METRIC_EXPORT_(?:INTERVAL|TIMEOUT)',
    '(?:(?:SPAN|LOGRECORD)_)?ATTRIBUTE_(?:COUNT|VALUE_LENGTH)_LIMIT',
    'SPAN_(?:EVENT|LINK)_COUNT_LIMIT',
    'LOG_LEVEL|NODE_RESOURCE_DETECTORS',
  ].join('|')})$`,
)

const isKnown = (name: string) => name in schema.shape || READ_BY_SDK.test(name)

/** Variables in `source` that look like settings by their prefix and are none, each with a sentence for the terminal. */
export function unknownSettings(source: Record<string, string | undefined>): string[] {
  return Object.keys(source)
    .filter((name) => OUR_PREFIX.test(name) && source[name]?.trim() && !isKnown(name))
    .map((name) => `${name} is set, and there is no such setting; it is ignored. docs/running.md lists them all.`)
}

/**
 * A variable that is a slip of the pen away from a setting would silently do nothing. Variables of other programs are not
 * ours to refuse: only a name that differs by one letter (two in a long name) counts, and only while the setting itself
 * is not set.
 */
function refuseMisspelt(source: Record<string, string | undefined>) {
  const sentences = Object.keys(source).flatMap((name) => {
    if (isKnown(name) || !source[name]?.trim()) return []
    const meant = Object.keys(schema.shape).find(
      (known) => !source[known]?.trim() && slipsBetween(name.toUpperCase(), known) <= (known.length < 10 ? 1 : 2),
    )
    if (!meant) return []
    return [`${name} is set, and there is no such setting. Did you mean ${meant}? Rename it, or start without ${name}.`]
  })
  if (sentences.length > 0) throw new EnvironmentError(sentences.join('\n'))
}

/** Letters that were added, left out, replaced or swapped with their neighbour (optimal string alignment distance). */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        replaced,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

/** The value as it may be shown on a screen: secrets as their length, passwords in addresses as dots. */
function quote(name: string, value: string): string {
  if (SECRET.test(name)) return `set (${value.length} characters, not shown)`
  return `"${value.replace(/(:\/\/[^:@/]*:)[^@/]*@/, '$1...@')}"`
}
