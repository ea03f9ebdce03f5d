import { and, asc, eq, isNotNull, ne } from 'drizzle-orm'
import { createDatabase, type Database } from '@/db/client'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { batches, projects } from '@/db/schema/projects'
import { findSameContent } from '@/lib/domain/files/intake'
import { findNeighbours, NEAR_DUPLICATE_BITS } from '@/lib/domain/pre-qc/neighbours'

/** Files that are looked up one after another: a single look-up takes less than can be told. */
const LOOKED_UP = 200

type Place = Awaited<ReturnType<typeof placesIn>>[number]

/** What no address asks: how an upload and its checks find what is there already. */
const LOOK_UPS = {
  'images that look alike': (db: Database, { file }: Place) =>
    findNeighbours({ db }, file, file.perceptualHash ?? 0n, NEAR_DUPLICATE_BITS),
  'the same content': (db: Database, { file, ...place }: Place) => findSameContent({ db }, place, file.sha256),
}

/** Files of projects of the usual size, from all over the database. */
const placesIn = (db: Database, largeProject: string) =>
  db
    .select({ file: files, batch: batches, project: projects })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .innerJoin(projects, eq(projects.id, files.projectId))
    .where(and(ne(files.projectId, largeProject), isTrue(files.isCurrent), isNotNull(files.perceptualHash)))
    .orderBy(asc(files.sha256))
    .limit(LOOKED_UP)

/** The look-ups of the database at `url`, by name: each looks up some hundred files. */
export async function openLookUps(url: string, largeProject: string) {
  const { db, sql } = createDatabase(url, { max: 1 })
  const places = await placesIn(db, largeProject)
  const named = Object.entries(LOOK_UPS).map(([what, lookUp]) => {
    const run = async () => {
      for (const place of places) await lookUp(db, place)
    }
    return { name: `${places.length} files: ${what}`, run }
  })
  return { lookUps: named, stop: () => sql.end() }
}
