import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs'

/** What work costs, read from Linux (proc(5)) and from the log of PostgreSQL (auto_explain). */

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It ended meanwhile.
    return null
  }
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`)
      const parent = Number(
        stat
          ?.slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .at(1),
      )
      return stat ? [{ pid: Number(name), parent }] : []
    })

/** The process, and what it started, and what those did. */
function treeOf(root: number): number[] {
  const all = processes()
  const found = [root]
  for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map((each) => each.pid))
  return found
}

/** The web processes of a product, by the process that started it. */
export const webOf = (product: number) =>
  treeOf(product).filter((pid) => read(`/proc/${pid}/cmdline`)?.includes('server/web/'))

/** Milliseconds of processor time that each of the processes has had so far. */
export function processorTime(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      let nanoseconds = 0
      try {
        for (const task of readdirSync(`/proc/${pid}/task`))
          nanoseconds += Number(read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ')[0] ?? 0)
      } catch {
        // It ended meanwhile.
      }
      return [pid, nanoseconds / 1e6]
    }),
  )
}

export const spent = (before: Map<number, number>, after: Map<number, number>) =>
  [...after].reduce((sum, [pid, at]) => sum + Math.max(0, at - (before.get(pid) ?? 0)), 0)

/** The local ports of the connections that the processes hold: by them the database knows whose statements it runs. */
export function portsOf(pids: readonly number[]): Set<number> {
  const inodes = new Set<string>()
  for (const pid of pids) {
    try {
      for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1]
        if (inode) inodes.add(inode)
      }
    } catch {
      // Closed meanwhile.
    }
  }
  const ports = new Set<number>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of (read(table) ?? '').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (inodes.has(fields[9] ?? '')) ports.add(Number.parseInt(fields[1]?.split(':')[1] ?? '0', 16))
    }
  return ports
}

/** The settings that write the plan of every statement to the log. */
export const EXPLAIN = {
  log_line_prefix: '@@%r@@ ',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_parameter_max_length': '0',
} as const

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}
/** One statement as it ran. Blocks of 8 kB, read from memory or from disk. */
export type Statement = { text: string; blocks: number; scans: { table: string; rows: number }[]; plan: Node }

/** What was written to the log since `from`, of connections from these ports. */
export function statementsSince(logFile: string, from: number, ports: ReadonlySet<number>): Statement[] {
  const size = statSync(logFile).size
  const bytes = Buffer.alloc(Math.max(0, size - from))
  const log = openSync(logFile, 'r')
  readSync(log, bytes, 0, bytes.length, from)
  closeSync(log)
  return bytes
    .toString('utf8')
    .split(/^@@/m)
    .flatMap((entry) => {
      const [, port, json] = /^[^(@]*\((\d+)\)@@ LOG: {2}duration: [\d.]+ ms {2}plan:\s*([\s\S]*)$/.exec(entry) ?? []
      if (!json || !ports.has(Number(port))) return []
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: Node }
      return [
        {
          text,
          plan,
          blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
          scans: scansIn(plan),
        },
      ]
    })
}

/** A plan as lines of text: each node with what it reads, its rows in all loops, and the blocks of it and what is below it. */
export function linesOf(node: Node, depth = 1): string[] {
  const { 'Relation Name': table, 'Index Name': index } = node
  const rows = Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1))
  const removed = Math.round((node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1))
  const blocks = (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)
  const what = [node['Node Type'], table && `on ${table}`, index && `by ${index}`].filter(Boolean).join(' ')
  const costs = [`${rows} rows`, removed > 0 && `${removed} removed`, `${blocks} blocks`].filter(Boolean).join(', ')
  return [`${'  '.repeat(depth)}${what}: ${costs}`, ...(node.Plans ?? []).flatMap((child) => linesOf(child, depth + 1))]
}

export const logSize = (logFile: string) => statSync(logFile).size

function scansIn(node: Node): Statement['scans'] {
  const rows = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1)
  const own = node['Node Type'] === 'Seq Scan' ? [{ table: node['Relation Name'] ?? '', rows: Math.round(rows) }] : []
  return [...own, ...(node.Plans ?? []).flatMap(scansIn)]
}
