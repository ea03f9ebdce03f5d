/** The phrases of a text: one a line, without empty ones. */
export const phrasesOf = (text: string) =>
  text
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean)
