/** Names in the text of a comment: an @, and the name as it is written in the account. */

export type Person = { id: string; name: string }

/** What is being written of a name at the cursor: where its @ stands, and what follows; null where no name begins. */
export function nameAt(text: string, cursor: number): { from: number; q: string } | null {
  const [, q] = /(?:^|[\s("“])@((?:[^\s@]+ ){0,2}[^\s@]*)$/u.exec(text.slice(0, cursor)) ?? []
  return q === undefined ? null : { from: cursor - q.length - 1, q }
}

/** Those of these people whom the text names. */
export const namedIn = (text: string, people: readonly Person[]) => {
  const names = new Set(piecesOf(text, people).flatMap((piece) => (piece.isName ? [piece.text] : [])))
  return people.filter(({ name }) => names.has(`@${name}`))
}

export type Piece = { text: string; isName: boolean }

/** The text, with the names of these people apart; of two names that begin alike the longer is meant. */
export function piecesOf(text: string, people: readonly Person[]): Piece[] {
  const names = [...new Set(people.map(({ name }) => `@${name}`))].sort((a, b) => b.length - a.length)
  const pieces: Piece[] = []
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const name = text[at] === '@' ? names.find((each) => text.startsWith(each, at)) : undefined
    if (!name) {
      plain += text[at]
      at += 1
      continue
    }
    if (plain) pieces.push({ text: plain, isName: false })
    plain = ''
    pieces.push({ text: name, isName: true })
    at += name.length
  }
  if (plain) pieces.push({ text: plain, isName: false })
  return pieces
}
