/** A longer list is cut. */
const MOST_NAMED = 8

/** The first of a list of files, each with what is said of it, and how many more there are. */
export function NamedFew({ items }: { items: readonly { id: string; words: string }[] }) {
  return (
    <ul className="mt-1 list-disc pl-5">
      {items.slice(0, MOST_NAMED).map(({ id, words }) => (
        <li key={id} className="wrap-anywhere">
          {words}
        </li>
      ))}
      {items.length > MOST_NAMED && <li>and {items.length - MOST_NAMED} more</li>}
    </ul>
  )
}
