import { type SQL, sql } from 'drizzle-orm'
import { personKeys } from '@/db/schema/events'
import { ERASED_PERSON } from '@/lib/vocabulary'
import type { Tx } from '../kernel/operation'

/**
 * Puts “Erased person” for these names in what was made from events: notifications, and messages to webhooks.
 *
 * @param concerned a condition on the events `e`
 */
export async function rewriteTexts(tx: Tx, concerned: SQL, names: readonly string[]) {
  for (const name of new Set(names)) {
    if (name === '') continue
    const plain = wholeWords(name)
    await tx.db.execute(sql`
      update notifications n set title = regexp_replace(n.title, ${plain}, ${ERASED_PERSON}, 'g'),
        body = regexp_replace(n.body, ${plain}, ${ERASED_PERSON}, 'g')
      from events e where e.id = n.event_id and ${concerned}`)
    // As it stands inside a text of JSON.
    const written = wholeWords(JSON.stringify(name).slice(1, -1))
    await tx.db.execute(sql`
      update webhook_deliveries d set payload = regexp_replace(d.payload, ${written}, ${ERASED_PERSON}, 'g')
      from events e where e.id = d.event_id and ${concerned}`)
  }
}

/** The same for what webhooks say of who disabled or tried them. */
export async function rewriteWebhooks(tx: Tx, names: readonly string[]) {
  for (const name of new Set(names)) {
    await tx.db.execute(sql`
      update webhooks set disabled_reason = ${`Disabled by ${ERASED_PERSON}.`} where disabled_reason = ${`Disabled by ${name}.`}`)
    const by = (who: string) => `"by":${JSON.stringify(who)}`
    await tx.db.execute(sql`
      update webhook_deliveries set payload = replace(payload, ${by(name)}, ${by(ERASED_PERSON)})
      where event_id is null and strpos(payload, ${by(name)}) > 0`)
  }
}

/** The same for the comments that mention the person. */
export async function rewriteMentions(tx: Tx, id: string, names: readonly string[]) {
  for (const name of new Set(names)) {
    await tx.db.execute(sql`
      update file_comments set body = replace(body, ${`@${name}`}, ${`@${ERASED_PERSON}`})
      where mentions @> array[${id}::uuid] and strpos(body, ${`@${name}`}) > 0`)
  }
  await tx.db.execute(sql`
    update file_comments set mentions = nullif(array_remove(mentions, ${id}::uuid), '{}')
    where mentions @> array[${id}::uuid]`)
}

/** A pattern of PostgreSQL for the text itself, where it is no part of a longer word. */
const wholeWords = (text: string) => `(?<!\\w)${text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')}(?!\\w)`

export const countsOf = (places: readonly { place: string; count: number }[]) =>
  Object.fromEntries(places.map(({ place, count }) => [place, count]))

/** Removes the key by which events about the person are read; there never is another. */
export async function forget(tx: Tx, personId: string) {
  await tx.db
    .insert(personKeys)
    .values({ personId, key: null, createdAt: tx.now })
    .onConflictDoUpdate({ target: personKeys.personId, set: { key: null } })
}
