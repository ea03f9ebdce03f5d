/**
 * What a migration may do while processes of the version before still run (expand, migrate, contract; decision 0077).
 * A statement that needs a person's word carries it in the lines of comment right above it:
 *   -- contract: not used since 0.2.0   what is taken away was used by no version from 0.2.0 on
 *   -- safe: REASON                     why the version before survives it, or why the table is small
 */

/** The last migration made before there was a rule. */
export const LAST_WITHOUT_RULE = '0026_worker_processes'

type Rule = {
  pattern: RegExp
  says: string
  excusedBy: 'contract' | 'safe' | null
  onlyExisting?: boolean
  exceptNewColumns?: boolean
}

const ADD_COLUMN = String.raw`\badd\s+(?:column\s+)?(?!column\b|constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)`

const RULES: Rule[] = [
  {
    pattern:
      /\bdrop\s+(?:table|schema|view|materialized\s+view|type|function|sequence|column|index|domain|extension)\b/,
    says: 'takes away what the version before may use',
    excusedBy: 'contract',
  },
  {
    // The word COLUMN may be left out.
    pattern: /\balter\s+table\b.*\bdrop\s+(?!constraint\b|not\s+null\b|default\b|expression\b|identity\b|column\b)/,
    says: 'takes away what the version before may use',
    excusedBy: 'contract',
    onlyExisting: true,
  },
  { pattern: /\btruncate\b/, says: 'takes away what the version before may use', excusedBy: 'contract' },
  {
    pattern: /\brename\b/,
    says: 'takes a name away; add the new one beside it, write both, and drop the old one in a later release',
    excusedBy: 'contract',
  },
  {
    pattern: /\bdrop\s+(?:default|identity)\b/,
    says: 'lets inserts of the version before fail, which leave the column to its default',
    excusedBy: 'contract',
    onlyExisting: true,
  },
  {
    pattern: /\bset\s+not\s+null\b/,
    says: 'refuses what the version before may write, and reads the whole table while nothing else may',
    excusedBy: 'contract',
    onlyExisting: true,
  },
  {
    pattern: new RegExp(`${ADD_COLUMN}(?=.*\\bnot\\s+null\\b)(?!.*\\bdefault\\b)`),
    says: 'adds a column that inserts of the version before do not fill; give it a DEFAULT',
    excusedBy: null,
    onlyExisting: true,
  },
  {
    pattern: new RegExp(`${ADD_COLUMN}.*\\b(?:stored|unique|primary\\s+key|references)\\b`),
    says: 'rewrites or reads the whole table while nothing else may',
    excusedBy: 'safe',
    onlyExisting: true,
  },
  {
    pattern: /\balter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/,
    says: 'changes a type that the version before reads and writes, and may rewrite the whole table',
    excusedBy: 'safe',
    onlyExisting: true,
  },
  {
    pattern: /\balter\s+type\b(?!.*\badd\s+value\b)/,
    says: 'changes a type that the version before reads and writes',
    excusedBy: 'contract',
  },
  {
    pattern: /\badd\s+(?:constraint|check|unique|primary|foreign|exclude)\b/,
    says: 'may refuse what the version before writes, and reads the whole table while nothing else may write',
    excusedBy: 'safe',
    onlyExisting: true,
    // The version before leaves it to null, which a constraint lets pass.
    exceptNewColumns: true,
  },
  {
    pattern: /\bcreate\s+(?:unique\s+)?index\s+concurrently\b/,
    says: 'cannot run: migrations are one transaction',
    excusedBy: null,
  },
  {
    pattern: /\bcreate\s+unique\s+index\b/,
    says: 'may refuse what the version before writes',
    excusedBy: 'safe',
    onlyExisting: true,
  },
  {
    pattern: /\bcreate\s+index\s+(?!if\s+not\s+exists\b|concurrently\b)/,
    says: 'keeps all from writing while it is built; write CREATE INDEX IF NOT EXISTS, so that an operator of a large table can make it CONCURRENTLY before',
    excusedBy: 'safe',
    onlyExisting: true,
  },
  {
    pattern: /\bcreate\s+(?:or\s+replace\b|(?:constraint\s+)?trigger\b)/,
    says: 'changes what happens to the statements of the version before',
    excusedBy: 'safe',
  },
  {
    pattern: /^\s*(?:update|delete\s+from|insert\s+into)\b|^\s*do\b/,
    says: 'changes rows that the version before reads and writes',
    excusedBy: 'safe',
    onlyExisting: true,
  },
]

const REMEDIES = {
  contract: ' Or say since when it is unused: -- contract: not used since VERSION',
  safe: ' Or say why it is safe: -- safe: REASON',
}

/**
 * What is wrong with a migration, a sentence each; none when it may be released. `previous`: the release before, such as
 * 0.2.0; what was still used by an earlier one only may be taken away.
 */
export function problemsOf(migration: string, previous: string): string[] {
  const statements = statementsOf(migration)
  const made = new Set(
    statements.flatMap(({ code }) => nameIn(code, /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([^\s(]+)/) ?? []),
  )
  const added = statements.flatMap(({ code }) => {
    const [table, column] = [tableOf(code), nameIn(code, new RegExp(`${ADD_COLUMN}(?:if\\s+not\\s+exists\\s+)?(\\S+)`))]
    return table && column ? [{ table, column }] : []
  })
  return statements.flatMap(({ code, comment, shown }) => {
    const table = tableOf(code)
    const isNew = table !== undefined && made.has(table)
    const isOfNewColumn = added.some((each) => each.table === table && code.includes(`"${each.column}"`))
    const since = /^--\s*contract:\s*not used since (\d+\.\d+\.\d+)\s*$/im.exec(comment)?.[1]
    const isSafe = /^--\s*safe:\s*\S.{9,}$/im.test(comment)
    const broken = RULES.filter(
      ({ pattern, onlyExisting, exceptNewColumns }) =>
        pattern.test(code) && !(onlyExisting && isNew) && !(exceptNewColumns && isOfNewColumn),
    )
    const inTheWay = broken.filter(({ excusedBy }) => {
      if (excusedBy === 'safe') return !isSafe && !since
      return excusedBy === null || !since || isLater(since, previous)
    })
    const about =
      since && isLater(since, previous)
        ? ` It is said to be unused since ${since}; the release before is ${previous}.`
        : ''
    return inTheWay.map(({ says, excusedBy }) => {
      return `“${shown}” ${says}.${about}${excusedBy ? REMEDIES[excusedBy] : ''}`
    })
  })
}

type Written = { code: string; comment: string; shown: string }

/** Statements in lower case without comments and literals, each with the comment right above it. A body of DO is part of it. */
function statementsOf(migration: string): Written[] {
  const text = migration
    .replace(/--(?!> statement-breakpoint).*$/gm, (comment) => comment.replace(/[;']/g, ' '))
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\$(\w*)\$.*?\$\1\$/gs, (body) => body.replaceAll(';', ' '))
  const found: Written[] = []
  let above: string[] = []
  for (const piece of text.split(/--> statement-breakpoint|;/)) {
    const lines = piece.split('\n').map((line) => line.trim())
    above.push(...lines.filter((line) => line.startsWith('--')))
    const code = lines
      .map((line) => line.replace(/--.*$/, ''))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (code === '') continue
    const shown = code.length > 90 ? `${code.slice(0, 90)} …` : code
    found.push({ code: code.toLowerCase(), comment: above.join('\n'), shown })
    above = []
  }
  return found
}

/** The table that a statement changes; undefined where it names none. */
const tableOf = (code: string) =>
  nameIn(code, /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\S+)/) ??
  nameIn(code, /\bcreate\s+(?:unique\s+)?index\b.*?\bon\s+(?:only\s+)?([^\s(]+)/) ??
  nameIn(code, /^\s*(?:update|delete\s+from|insert\s+into)\s+(?:only\s+)?([^\s(]+)/)

function nameIn(code: string, pattern: RegExp): string | undefined {
  const name = pattern.exec(code)?.[1]
  return name && bare(name)
}

const bare = (name: string) => name.replace(/^"?public"?\./, '').replaceAll('"', '')

function isLater(one: string, other: string): boolean {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}
