import { and, eq } from 'drizzle-orm'
import { mailPreferences } from '@/db/schema/mail'
import { command, query, type Tx } from '../kernel/operation'
import { MAIL_DEFAULTS, MAIL_TYPES } from './rules'
import { ChangeMailPreferences, MailPreferences } from './schema'

/** Of what, and how soon, a user is mailed: each decides for themselves. */

function ownId({ actor }: Tx): string {
  if (actor.type !== 'user') throw new Error('Only people are mailed.')
  return actor.id
}

async function present(tx: Tx): Promise<MailPreferences> {
  const chosen = await tx.db
    .select()
    .from(mailPreferences)
    .where(eq(mailPreferences.userId, ownId(tx)))
  return {
    sends_mail: tx.ports.mail.isSetUp,
    preferences: MAIL_TYPES.map((type) => ({
      type,
      frequency: chosen.find((row) => row.type === type)?.frequency ?? MAIL_DEFAULTS[type],
      usual: MAIL_DEFAULTS[type],
    })),
  }
}

export const getMailPreferences = query({
  name: 'getMailPreferences',
  summary: 'Of what you are mailed, and how soon',
  permission: 'notifications.own',
  output: MailPreferences,
  run: (tx) => present(tx),
})

export const changeMailPreferences = command({
  name: 'changeMailPreferences',
  summary: 'Choose for kinds of events whether you are mailed at once, every hour, every day or never',
  permission: 'notifications.own',
  input: ChangeMailPreferences,
  output: MailPreferences,
  async run(tx, { input }) {
    const userId = ownId(tx)
    for (const { type, frequency } of input.preferences) {
      if (frequency === MAIL_DEFAULTS[type]) {
        const own = and(eq(mailPreferences.userId, userId), eq(mailPreferences.type, type))
        await tx.db.delete(mailPreferences).where(own)
      } else {
        await tx.db
          .insert(mailPreferences)
          .values({ userId, type, frequency, updatedAt: tx.now })
          .onConflictDoUpdate({
            target: [mailPreferences.userId, mailPreferences.type],
            set: { frequency, updatedAt: tx.now },
          })
      }
    }
    return present(tx)
  },
})
