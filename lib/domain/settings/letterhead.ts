import { z } from 'zod'
import { letterhead } from '@/db/schema/letterhead'
import { invalidField } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, query, type Tx } from '../kernel/operation'
import { isoOrNull, prose, text } from '../kernel/shapes'
import { Letterhead, LOGO_MAX_BYTES, UNDO_MINUTES_MAX } from './schema'

/** Who sends estimates: what stands at their head and at their end, for every project. */

const given = z.strictObject({
  name: prose(200),
  address: prose(1000),
  tax_id: prose(60),
  terms: prose(20_000),
  undo_minutes: z.int().min(0).max(UNDO_MINUTES_MAX).describe('In which a client may take a decision back'),
})

type Row = typeof letterhead.$inferSelect

const UNWRITTEN: Omit<Row, 'updatedAt'> = {
  id: 1,
  name: '',
  address: '',
  taxId: '',
  terms: '',
  undoMinutes: 15,
  logo: null,
  logoWidth: null,
  logoHeight: null,
}

/** The letterhead as it is now, with its logo as PNG; an unwritten one before anybody wrote it. */
export async function letterheadOf(tx: Pick<Tx, 'db'>): Promise<Omit<Row, 'updatedAt'> & { updatedAt: Date | null }> {
  const [row] = await tx.db.select().from(letterhead)
  return row ?? { ...UNWRITTEN, updatedAt: null }
}

async function present(tx: Pick<Tx, 'db'>): Promise<Letterhead> {
  const row = await letterheadOf(tx)
  return {
    name: row.name,
    address: row.address,
    tax_id: row.taxId,
    terms: row.terms,
    undo_minutes: row.undoMinutes,
    logo:
      row.logo && row.logoWidth && row.logoHeight
        ? { png: row.logo.toString('base64'), width: row.logoWidth, height: row.logoHeight }
        : null,
    updated_at: isoOrNull(row.updatedAt),
  }
}

export const getLetterhead = query({
  name: 'getLetterhead',
  summary: 'Who sends estimates, and on which terms',
  permission: 'settings.manage',
  isVersioned: true,
  output: Letterhead,
  run: present,
})

export const updateLetterhead = command({
  name: 'updateLetterhead',
  summary: 'Change name, address, tax number, terms and the time a client has to take a decision back',
  permission: 'settings.manage',
  input: given,
  output: Letterhead,
  async run(tx, { input }) {
    const next = {
      name: input.name,
      address: input.address,
      taxId: input.tax_id,
      terms: input.terms,
      undoMinutes: input.undo_minutes,
    }
    const changes = changesBetween(await lock(tx), next)
    if (changes) {
      await tx.db.update(letterhead).set({ ...next, updatedAt: tx.now })
      await tx.record({ type: 'settings.updated', data: { letterhead: changes } })
    }
    return present(tx)
  },
})

/** Takes an uploaded image as logo, or removes it. What is stored is drawn anew from its pixels, never what was sent. */
export const replaceLogo = command({
  name: 'replaceLogo',
  summary: 'Replace or remove the logo of the letterhead',
  permission: 'settings.manage',
  input: z.strictObject({
    image: z
      .object({ bytes: z.instanceof(Uint8Array), extension: text(10) })
      .nullable()
      .describe('Null removes it'),
  }),
  output: Letterhead,
  async prepare(ctx, { input: { image } }) {
    if (!image) return null
    if (image.bytes.length > LOGO_MAX_BYTES) {
      throw invalidField('image', 'too_big', 'A logo may have 1 MB. Export it smaller: 800 pixels across are plenty.')
    }
    const logo = await ctx.ports.settings.drawLogo(image.bytes, image.extension)
    if ('refused' in logo) throw invalidField('image', 'invalid', logo.refused)
    return logo
  },
  async run(tx, { prepared }) {
    const before = await lock(tx)
    await tx.db.update(letterhead).set({
      logo: prepared?.png ?? null,
      logoWidth: prepared?.width ?? null,
      logoHeight: prepared?.height ?? null,
      updatedAt: tx.now,
    })
    const said = (has: boolean) => (has ? 'an image' : 'none')
    await tx.record({
      type: 'settings.updated',
      data: { letterhead: { before: { logo: said(before.logo !== null) }, after: { logo: said(prepared !== null) } } },
    })
    return present(tx)
  },
})

async function lock(tx: Tx): Promise<Row> {
  await tx.db.insert(letterhead).values({ id: 1 }).onConflictDoNothing()
  const [row] = await tx.db.select().from(letterhead).for('no key update')
  if (!row) throw new Error('The letterhead was written and is not there.')
  return row
}
