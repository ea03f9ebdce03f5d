import { z } from 'zod'
import { ROLES, TOKEN_SCOPES } from '@/lib/vocabulary'
import { line, listOf, paging, ref, text, timestamp, uuid } from '../kernel/shapes'

const stored = { id: uuid, created_at: timestamp, updated_at: timestamp }

/** Stands in file names, so it holds only what every naming template can distinguish. */
const code = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[A-Za-z0-9-]*$/, 'Use letters from A to Z, digits and hyphens only, because the code stands in file names.')
  .describe('As it stands in file names: letters, digits, hyphen')

const q = text(200).trim().optional()

// Agencies

export const Agency = z
  .object({
    ...stored,
    name: z.string(),
    code: z.string(),
    storage_quota: z.int().nullable().describe('Bytes that its files may take in all; null: no quota'),
  })
  .meta({ id: 'Agency' })
export type Agency = z.infer<typeof Agency>
export const AgencyList = listOf('agencies', Agency).meta({ id: 'AgencyList' })
export const ListAgencies = z.strictObject({ ...paging, q: q.describe('Part of the name or the code') })
const storageQuota = z
  .int()
  .min(1)
  .describe(
    'Bytes that the files of the agency, and those that comments on them carry, may take in all; null: no quota',
  )

export const CreateAgency = z.strictObject({ name: line(200), code, storage_quota: storageQuota.nullish() })

export const AgencyStorage = z
  .object({ agency: ref, stored_bytes: z.int(), storage_quota: z.int().nullable() })
  .meta({ id: 'AgencyStorage' })
export type AgencyStorage = z.infer<typeof AgencyStorage>
export const AgencyStorageList = listOf('agency_storage', AgencyStorage).meta({ id: 'AgencyStorageList' })
export const UpdateAgency = CreateAgency.partial()

// Campaigns

export const Campaign = z
  .object({ ...stored, agency: ref, name: z.string(), code: z.string() })
  .meta({ id: 'Campaign' })
export type Campaign = z.infer<typeof Campaign>
export const CampaignList = listOf('campaigns', Campaign).meta({ id: 'CampaignList' })
export const ListCampaigns = z.strictObject({
  ...paging,
  agency_id: uuid.optional(),
  q: q.describe('Part of the name or the code'),
})
export const CreateCampaign = z.strictObject({ agency_id: uuid, name: line(200), code })
export const UpdateCampaign = z.strictObject({ name: line(200).optional(), code: code.optional() })

// Users

const role = z.enum(ROLES)
/** An address as people type it; compared without regard to case. */
const email = text(254).trim().pipe(z.email())
/** Length is what makes a password strong (NIST SP 800-63B, 3.1.1.2); nothing else is asked of it. */
const password = text(200).min(10)

export const User = z
  .object({
    ...stored,
    name: z.string(),
    email: z.string(),
    role,
    disabled_at: timestamp.nullable().describe('Since when this person may not sign in; null: they may'),
    erased_at: timestamp.nullable().describe('When name and address were erased; null: they were not'),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>
export const UserList = listOf('users', User).meta({ id: 'UserList' })
export const ListUsers = z.strictObject({
  ...paging,
  role: role.optional(),
  q: q.describe('Part of the name or the e-mail address'),
})
export const CreateUser = z.strictObject({
  email,
  name: line(200),
  role,
  password: password.nullish().describe('Without one, the person signs in through the identity provider only'),
})
export const SetUpService = z.strictObject({ name: line(200), email, password })
export const UpdateUser = z.strictObject({
  email: email.optional(),
  name: line(200).optional(),
  role: role.optional(),
  disabled: z.boolean().optional().describe('true ends every session at once, and every token stops working'),
  password: password.optional().describe('A new password; ends every session of this person'),
})

export const Me = User.omit({ disabled_at: true, erased_at: true })
  .extend({
    scope: z.enum(TOKEN_SCOPES).describe('What this session or token may do'),
    unread_notifications: z.int().min(0),
  })
  .meta({ id: 'Me' })
export type Me = z.infer<typeof Me>

export const ChangePassword = z.strictObject({ current_password: text(1024), new_password: password })

export const RequestPasswordReset = z.strictObject({ email })
export const PasswordResetRequested = z.object({
  mail: z.boolean().describe('Whether this service sends mail at all; says nothing about the address'),
})
export const ResetPassword = z.strictObject({ token: text(200).min(1), new_password: password })
export const PasswordReset = z.object({ email: z.string() })
export const ResetLink = z
  .object({ url: z.url().describe('Works once; shown this once'), expires_at: timestamp })
  .meta({ id: 'ResetLink' })
export type ResetLink = z.infer<typeof ResetLink>

// API tokens

const TOKEN_STATUSES = ['active', 'expired', 'revoked'] as const

export const Token = z
  .object({
    ...stored,
    name: z.string(),
    user: ref,
    prefix: z.string().describe('The first characters, to distinguish tokens'),
    scope: z.enum(TOKEN_SCOPES),
    status: z.enum(TOKEN_STATUSES),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>

export const NewToken = Token.extend({
  token: z.string().describe('The token itself. It is shown this once; only a hash of it is kept'),
}).meta({ id: 'NewToken' })
export type NewToken = z.infer<typeof NewToken>

export const TokenList = listOf('tokens', Token).meta({ id: 'TokenList' })
export const ListTokens = z.strictObject({
  ...paging,
  user_id: z
    .union([uuid, z.literal('all')])
    .optional()
    .describe('Whose tokens, or “all”; for administrators. Without it: your own'),
})
export const CreateToken = z.strictObject({
  name: line(100),
  scope: z.enum(TOKEN_SCOPES).default('write').describe('A read token only reads'),
  expires_at: z.iso.datetime({ offset: true }).nullish().describe('Null: it does not expire'),
  user_id: uuid.optional().describe('For whom, if not for yourself; for administrators'),
})
