import { nameKey } from '../naming/portable-name'

/**
 * Names under which files lie beside each other, in the order of the files: where several have one name (case makes no
 * difference), each is distinguished by its version, and by a number where that is taken, too.
 */
export function uniqueNames(files: readonly { name: string; version: number }[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of files) counts.set(nameKey(name), (counts.get(nameKey(name)) ?? 0) + 1)
  const isAlone = (name: string) => counts.get(nameKey(name)) === 1
  const taken = new Set(files.flatMap(({ name }) => (isAlone(name) ? nameKey(name) : [])))
  return files.map(({ name, version }) => {
    if (isAlone(name)) return name
    let unique = withNote(name, `version ${version}`)
    for (let number = 2; taken.has(nameKey(unique)); number++) unique = withNote(name, `version ${version}, ${number}`)
    taken.add(nameKey(unique))
    return unique
  })
}

function withNote(name: string, note: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${note})${name.slice(dot)}` : `${name} (${note})`
}
