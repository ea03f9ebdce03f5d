import { readFileSync, writeFileSync, existsSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { examine } from '@/lib/adapters/inspector/examine'
const files = readFileSync(process.argv[2]!, 'utf8').trim().split('\n')
const max = Number(process.argv[3] ?? 0) || 20e6
const seen = new Set<string>()
const tally: Record<string, [number, number]> = {}
for (const f of files) {
  if (!existsSync(f)) continue
  const b = readFileSync(f)
  if (b.length > max) continue
  const h = createHash('md5').update(b).digest('hex')
  if (seen.has(h)) continue
  seen.add(h)
  let ext = f.split('.').pop()!.toLowerCase()
  if (ext === 'jar' || ext === 'whl') ext = 'zip'
  writeFileSync('/tmp/decode-h/current', f)
  const t = performance.now()
  const r = await examine(f, { extension: ext, decodeUntil: Infinity })
  const s = (performance.now() - t) / 1000
  const row = (tally[ext] ??= [0, 0])
  row[0]++
  if (r.violations.length) { row[1]++; console.log([f, s.toFixed(2), r.violations.map(v => v.code + ': ' + v.message).join(' | ')].join('\t').slice(0, 330)) }
  else if (s > 5) console.log('SLOW', f, b.length, s)
}
console.log(JSON.stringify(tally))
