/** Three versions of one form: as it was filled, as it stands in the browser, as another user has saved it since. */
export type Versions<Values> = { filled: Values; mine: Values; theirs: Values }

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** What they changed and the browser does not say already. */
export const theirChanges = <Values extends object>({ filled, mine, theirs }: Versions<Values>) =>
  (Object.keys(filled) as (keyof Values & string)[]).filter(
    (field) => !isSame(filled[field], theirs[field]) && !isSame(mine[field], theirs[field]),
  )

/** Their version with what was typed here, except where they changed it, too. */
export function withTheirChanges<Values extends object>(versions: Versions<Values>): Values {
  const changes = theirChanges(versions)
  return pick(versions, (field) => isSame(versions.mine[field], versions.filled[field]) || changes.includes(field))
}

/** Their version with everything that was typed here. */
export const withMyChanges = <Values extends object>(versions: Versions<Values>): Values =>
  pick(versions, (field) => isSame(versions.mine[field], versions.filled[field]))

const pick = <Values extends object>(
  { filled, mine, theirs }: Versions<Values>,
  isTheirs: (field: keyof Values & string) => boolean,
) =>
  Object.fromEntries(
    (Object.keys(filled) as (keyof Values & string)[]).map((field) => [
      field,
      (isTheirs(field) ? theirs : mine)[field],
    ]),
  ) as Values
