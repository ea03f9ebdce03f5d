import { sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { findWrongMonths, resumMonth } from '@/lib/domain/analytics/months'
import { findWrongAnalytics, recomputeBatch } from '@/lib/domain/analytics/notes'
import { findWrongVerdicts, rewriteVerdicts } from '@/lib/domain/analytics/verdicts'
import { COUNTED, recountBatch } from '@/lib/domain/batches/counts'
import { recountStored, storedByAgency } from '@/lib/domain/directory/storage'
import type { Tx } from '@/lib/domain/kernel/operation'
import { compareServiceCounts, correctServiceCounts } from '@/lib/domain/service-status/counts'
import { type Check, counted, ok } from './check'

type Wrong = { what: string; put: (tx: Tx) => Promise<string> }

/** Counters that are stored, compared with the rows they count. Each is read with its rows in one statement. */
export const counters: Check = {
  id: 'counters',
  needsDatabase: true,
  async examine({ ctx }) {
    const found = await Promise.all([
      linkUses(ctx.db),
      sessionFiles(ctx.db),
      estimateNumbers(ctx.db),
      profiles(ctx.db),
      storedBytes(ctx.db),
      ofBatches(ctx.db),
      ofService(ctx.db),
      verdicts(ctx.db),
      sumsOfAnalytics(ctx.db),
      monthsOfAnalytics(ctx.db),
    ])
    const examined = found.reduce((sum, { of }) => sum + of, 0)
    const wrong = found.flatMap((each) => each.wrong)
    if (wrong.length === 0) return ok(`${counted(examined, 'counter')} equal to their rows`)
    return {
      status: 'problem',
      value: `${wrong.length} of ${counted(examined, 'counter')} not equal to their rows`,
      details: wrong.map(({ what }) => what),
      fix: '--fix counts the rows again.',
      repair: async (tx) => {
        const done: string[] = []
        for (const { put } of wrong) done.push(await put(tx))
        return { done }
      },
    }
  },
}

type Counted = Promise<{ of: number; wrong: Wrong[] }>

/**
 * A visit with accepted files is a use, and so is each file without a visit. A visit that was ended and begun again is
 * more than one, and its row only knows of the last: where files are left over, the uses lie between two bounds.
 */
async function linkUses(db: Executor): Counted {
  const rows = await db.execute<{ id: string; label: string; stored: number; least: number; most: number }>(sql`
    with visits as (
      select link_id, count(*) as visits, sum(file_count) as files from upload_sessions where file_count > 0 group by link_id
    ), accepted as (
      select actor_id as link_id, count(*) as files from events
      where type = 'file.received' and actor_type = 'upload_link' group by actor_id
    ), counted as (
      select l.id, l.label, l.use_count as stored, l.max_uses, coalesce(v.visits, 0) as visits,
        greatest(coalesce(a.files, 0) - coalesce(v.files, 0), 0) as others
      from upload_links l left join visits v on v.link_id = l.id left join accepted a on a.link_id = l.id
    )
    select id, label, stored, (visits + least(others, 1))::int as least,
      least(visits + others, coalesce(max_uses, visits + others))::int as most
    from counted`)
  const wrong = rows
    .filter(({ stored, least, most }) => stored < least || stored > most)
    .map(({ id, label, stored, least, most }): Wrong => {
      const right = stored < least ? least : most
      const uses = least === most ? `${most}` : `between ${least} and ${most}`
      return {
        what: `Upload link ${id} (“${label}”) counts ${counted(stored, 'use')}, its rows say ${uses}`,
        async put(tx) {
          await tx.db.execute(
            sql`update upload_links set use_count = ${right}, updated_at = ${tx.now.toISOString()} where id = ${id}::uuid and use_count = ${stored}`,
          )
          return `The uses of the upload link ${id} are ${right} instead of ${stored}.`
        },
      }
    })
  return { of: rows.length, wrong }
}

/**
 * The files of a visit are no more than its link brought since the visit began. A minute before counts, too: visits of
 * versions before 2026-11-26 began with the first file that was counted, which another that came before might follow.
 */
async function sessionFiles(db: Executor): Counted {
  const rows = await db.execute<{ id: string; stored: number; most: number }>(sql`
    select s.id, s.file_count as stored, (
      select count(*) from events e
      where e.type = 'file.received' and e.actor_type = 'upload_link' and e.actor_id = s.link_id and e.created_at >= s.created_at - interval '1 minute'
    )::int as most from upload_sessions s`)
  const wrong = rows
    .filter(({ stored, most }) => stored > most)
    .map(
      ({ id, stored, most }): Wrong => ({
        what: `Upload session ${id} counts ${counted(stored, 'file')}, its link brought ${most} since it began`,
        async put(tx) {
          await tx.db.execute(
            sql`update upload_sessions set file_count = ${most} where id = ${id}::uuid and file_count = ${stored}`,
          )
          return `The files of the upload session ${id} are ${most} instead of ${stored}.`
        },
      }),
    )
  return { of: rows.length, wrong }
}

/** The last number given in a year is at least the highest in use, and none in use is to be given again. */
async function estimateNumbers(db: Executor): Counted {
  const rows = await db.execute<{ year: number; last: number; highest: number; taken: number[] }>(sql`
    with used as (
      select split_part(number, '-', 2)::int as year, split_part(number, '-', 3)::int as n
      from cost_estimates where number ~ '^EST-\\d{4}-\\d{1,9}$'
    ), years as (select year from used union select year from cost_estimate_numbers)
    select y.year, coalesce(c.last, 0) as last, coalesce((select max(n) from used u where u.year = y.year), 0) as highest,
      array(select n from used u where u.year = y.year and n = any (c.freed) order by n) as taken
    from years y left join cost_estimate_numbers c on c.year = y.year order by y.year`)
  const wrong = rows
    .filter(({ last, highest, taken }) => last < highest || taken.length > 0)
    .map(({ year, last, highest, taken }): Wrong => {
      const again = taken.length > 0 ? `, and would give ${taken.join(', ')} again` : ''
      return {
        what: `Estimates of ${year}: the last number given is ${last}, the highest in use ${highest}${again}`,
        async put(tx) {
          await tx.db.execute(sql`
            insert into cost_estimate_numbers as c (year, last) values (${year}, ${highest})
            on conflict (year) do update set last = greatest(c.last, excluded.last), freed = array(
              select n from unnest(c.freed) n where not exists (
                select 1 from cost_estimates e where e.number = 'EST-' || c.year || '-' || lpad(n::text, 4, '0')))`)
          return `The last number of ${year} is ${Math.max(last, highest)}, and no number in use is given again.`
        },
      }
    })
  return { of: rows.length, wrong }
}

/** The version of a category's Pre-QC settings is that of its newest profile. */
async function profiles(db: Executor): Counted {
  const rows = await db.execute<{ id: string; name: string; stored: number; newest: number | null }>(sql`
    select m.id, m.name, m.profile_version as stored, max(p.version) as newest
    from media_categories m left join pre_qc_profiles p on p.media_category_id = m.id group by m.id`)
  const wrong = rows
    .filter(({ stored, newest }) => stored !== newest)
    .map(
      ({ id, name, stored, newest }): Wrong => ({
        what: `Media category ${id} (“${name}”) is at version ${stored} of its settings, its newest profile is ${newest ?? 'missing'}`,
        async put(tx) {
          if (newest === null)
            await tx.db.execute(sql`
              insert into pre_qc_profiles (id, media_category_id, version, settings)
              select ${newId(tx.now)}::uuid, id, profile_version, pre_qc from media_categories where id = ${id}::uuid`)
          else await tx.db.execute(sql`update media_categories set profile_version = ${newest} where id = ${id}::uuid`)
          return `The settings of the media category ${id} are at version ${newest ?? stored}.`
        },
      }),
    )
  return { of: rows.length, wrong }
}

/** The bytes that count against the quota of an agency are those of its files and of what comments on them carry. */
async function storedBytes(db: Executor): Counted {
  const rows = await db.execute<{ id: string; name: string; stored: string; sum: string }>(sql`
    with sums as (${storedByAgency()})
    select a.id, a.name, coalesce(c.bytes, 0) as stored, coalesce(s.bytes, 0) as sum
    from agencies a left join agency_storage c on c.agency_id = a.id left join sums s on s.agency_id = a.id`)
  const wrong = rows
    .filter(({ stored, sum }) => stored !== sum)
    .map(
      ({ id, name, stored, sum }): Wrong => ({
        what: `Agency ${id} (“${name}”) counts ${stored} bytes stored, its files take ${sum}`,
        async put(tx) {
          return `The stored bytes of the agency ${id} are ${await recountStored(tx, id)} instead of ${stored}.`
        },
      }),
    )
  return { of: rows.length, wrong }
}

/** The counts of a batch are those of its current files and their newest results. */
async function ofBatches(db: Executor): Counted {
  const [all] = await db.execute<{ of: number }>(sql`select count(*)::int as of from batch_counts`)
  const rows = await db.execute<{ id: string; name: string; stored: number; files: number }>(sql`
    select b.id, b.name, coalesce(c.files, 0) as stored, coalesce(r.files, 0) as files
    from (${COUNTED}) r full join batch_counts c on c.batch_id = r.batch_id
      join batches b on b.id = coalesce(r.batch_id, c.batch_id)
    where (coalesce(c.files, 0), coalesce(c.total_size, 0), coalesce(c.approved, 0), coalesce(c.rejected, 0), coalesce(c.pending, 0),
        coalesce(c.queued, 0), coalesce(c.running, 0), coalesce(c.completed, 0), coalesce(c.failed, 0),
        coalesce(c.pass, 0), coalesce(c.warning, 0), coalesce(c.fail, 0), coalesce(c.not_applicable, 0), coalesce(c.could_not_run, 0),
        coalesce(c.stored_by_users, 0), coalesce(c.stored_by_links, 0))
      is distinct from (coalesce(r.files, 0), coalesce(r.total_size, 0), coalesce(r.approved, 0), coalesce(r.rejected, 0), coalesce(r.pending, 0),
        coalesce(r.queued, 0), coalesce(r.running, 0), coalesce(r.completed, 0), coalesce(r.failed, 0),
        coalesce(r.pass, 0), coalesce(r.warning, 0), coalesce(r.fail, 0), coalesce(r.not_applicable, 0), coalesce(r.could_not_run, 0),
        coalesce(r.stored_by_users, 0), coalesce(r.stored_by_links, 0))`)
  const wrong = rows.map(
    ({ id, name, stored, files }): Wrong => ({
      what: `Batch ${id} (“${name}”) counts ${counted(stored, 'file')} and their states, its rows say ${files} or other states`,
      async put(tx) {
        await recountBatch(tx, id)
        return `The files of the batch ${id} and their states are counted again.`
      },
    }),
  )
  return { of: all?.of ?? 0, wrong }
}

/** The sums that the status and the metrics show are those of the counts of batches, and of the uploads that were refused. */
async function ofService(db: Executor): Counted {
  const sums = await compareServiceCounts(db)
  const differing = sums.filter(({ stored, counted }) => stored !== counted)
  if (differing.length === 0) return { of: sums.length, wrong: [] }
  const list = differing.map(({ name, stored, counted: rows }) => `${name} ${stored} instead of ${rows}`).join(', ')
  const what = `The sums of the service are not those of its rows: ${list}`
  // Counts of batches that are counted again change these sums: they come before.
  const put = async (tx: Tx) => {
    await correctServiceCounts(tx)
    return 'The sums of the service are those of its rows.'
  }
  return { of: sums.length, wrong: [{ what, put }] }
}

/** What analytics counts by is what the results say. */
async function verdicts(db: Executor): Counted {
  const [all] = await db.execute<{ of: number }>(sql`select count(*)::int as of from verdicts`)
  const wrong = Array.from(
    await findWrongVerdicts(db),
    ({ batch_id, differ }): Wrong => ({
      what: `Analytics counts ${counted(differ, 'result')} of the batch ${batch_id} otherwise than their rows say`,
      async put(tx) {
        await rewriteVerdicts(tx, batch_id)
        return `What analytics counts of the batch ${batch_id} is written anew.`
      },
    }),
  )
  return { of: all?.of ?? 0, wrong }
}

/** The sums of analytics are what results, files and events say. A worker computes those anew that are noted as changed. */
async function sumsOfAnalytics(db: Executor): Counted {
  const [all] = await db.execute<{ of: number }>(sql`select count(*)::int as of from batches`)
  const wrong = (await findWrongAnalytics(db)).map(
    (id): Wrong => ({
      what: `Analytics has other sums of the batch ${id} than its rows say`,
      async put(tx) {
        await recomputeBatch(tx, id)
        return `The sums that analytics has of the batch ${id} are computed again.`
      },
    }),
  )
  return { of: all?.of ?? 0, wrong }
}

/** The sums of months are those of the rows of batches. A worker makes those anew that are not there. */
async function monthsOfAnalytics(db: Executor): Counted {
  const { of, wrong } = await findWrongMonths(db)
  return {
    of,
    wrong: wrong.map(
      (month): Wrong => ({
        what: `Analytics has other sums of the month ${month.slice(0, 7)} than its rows say`,
        async put(tx) {
          await resumMonth(tx, month)
          return `The sums that analytics has of the month ${month.slice(0, 7)} are made again.`
        },
      }),
    ),
  }
}
