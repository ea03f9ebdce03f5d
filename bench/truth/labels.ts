import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { CATALOGUE, CHECK_IDS } from '@/lib/checks/catalogue'
import { readLocatedJson } from '@/lib/destinations/located-json'
import { extensionOf, findMediaType, findTypeByExtension } from '@/lib/domain/files/media-types'
import { quote } from '@/lib/domain/kernel/errors'
import { fieldErrors } from '@/lib/domain/kernel/shapes'
import { parseTemplate } from '@/lib/domain/naming/template'
import type { Labelled } from '../labelled'

/** The labels of a corpus: which file shows what of which check. The format is described in docs/truth.md. */

/** The folders that CORPUS_DIR names, separated by colons. */
export const corpusFolders = () => (process.env.CORPUS_DIR ?? '').split(':').filter(Boolean)

/** In the folder of the corpus, beside its files. */
export const LABELS_FILE = 'labels.json'

const Label = z.strictObject({
  file: z.string().min(1),
  check: z.string().min(1),
  expected: z.enum(['pass', 'fail']),
  name: z.string().min(1).optional(),
  thresholds: z.record(z.string(), z.unknown()).optional(),
  template: z.string().min(1).optional(),
  content: z.string().optional(),
  media_types: z.array(z.string()).optional(),
  max_file_bytes: z.number().int().positive().optional(),
  required_copy: z.array(z.string().min(1)).optional(),
  source: z.string().min(1).optional(),
})
type Label = z.infer<typeof Label>

const Labels = z.strictObject({ labels: z.array(Label).min(1) })

type Fault = { path: string; message: string }

/** Every wrong label of a corpus: its file, line and entry, and what was expected there. */
export class WrongLabels extends Error {}

/** @throws WrongLabels */
export function readLabels(folder: string): Labelled[] {
  const place = path.join(folder, LABELS_FILE)
  if (!existsSync(place))
    throw new WrongLabels(`${place}: there is no such file; a corpus is a folder that holds ${LABELS_FILE}.`)
  const json = readLocatedJson(readFileSync(place, 'utf8'))
  if (!json.ok) throw new WrongLabels(`${place}, line ${json.line}: ${json.message}`)
  const parsed = Labels.safeParse(json.value)
  const faults = parsed.success ? faultsOf(parsed.data.labels, folder) : fieldErrors(Labels, json.value)
  if (parsed.success && faults.length === 0) return parsed.data.labels.map((label) => labelledOf(label, folder))
  const lines = faults.map(
    (fault) => `${place}, line ${json.lineOf(fault.path)}${entryOf(fault.path)}: ${fault.message}`,
  )
  throw new WrongLabels(lines.join('\n'))
}

/** `labels.2.check` is the field `check` of the third label. */
function entryOf(where: string): string {
  const [, index, ...field] = where.split('.')
  if (index === undefined) return ''
  return `, label ${Number(index) + 1}${field.length > 0 ? `, “${field.join('.')}”` : ''}`
}

function faultsOf(labels: readonly Label[], folder: string): Fault[] {
  const seen = new Map<string, number>()
  return labels.flatMap((label, index) => {
    const at = (field: string, message: string): Fault => ({ path: `labels.${index}.${field}`, message })
    const key = JSON.stringify([label.check, label.name ?? label.file, label.thresholds ?? {}])
    const earlier = seen.get(key)
    seen.set(key, index)
    const again =
      earlier === undefined ? [] : [at('file', `label ${earlier + 1} is of the same file, check and settings.`)]
    return [...again, ...faultsOfFile(label, folder, at), ...faultsOfCheck(label, at)]
  })
}

type At = (field: string, message: string) => Fault

function faultsOfFile(label: Label, folder: string, at: At): Fault[] {
  const inside = path.relative(folder, path.resolve(folder, label.file))
  if (inside.startsWith('..') || path.isAbsolute(inside))
    return [at('file', `${quote(label.file)} is not in the folder of the corpus; expected a path below it.`)]
  if (!existsSync(path.join(folder, inside)))
    return [at('file', `there is no file ${quote(label.file)} in the folder of the corpus.`)]
  if (label.name?.match(/[\\/]/)) return [at('name', `${quote(label.name)} is a path; expected a file name.`)]
  if (label.content !== undefined && !findMediaType(label.content))
    return [at('content', `${quote(label.content)} is no media type the service takes, such as image/png.`)]
  if (typeOf(label)) return []
  return [
    at(
      'file',
      `the extension of ${quote(nameOf(label))} is not known; expected another, or “content” with its media type.`,
    ),
  ]
}

function faultsOfCheck(label: Label, at: At): Fault[] {
  const check = CATALOGUE.find(({ id }) => id === label.check)
  if (!check) return [at('check', `there is no check ${quote(label.check)}. The checks are ${CHECK_IDS.join(', ')}.`)]
  const kind = typeOf(label)?.kind
  const unread =
    kind && !check.kinds.includes(kind) ? [at('check', `${check.id} does not read files of the kind ${kind}.`)] : []
  const thresholds = fieldErrors(check.thresholds.strict(), label.thresholds ?? {}).map(({ path: field, message }) =>
    at(`thresholds${field && `.${field}`}`, message),
  )
  const template = label.template === undefined ? null : parseTemplate(label.template)
  const problems = template && !template.ok ? template.problems : []
  return [...unread, ...thresholds, ...problems.map(({ message }) => at('template', message))]
}

const nameOf = ({ name, file }: Label) => name ?? path.basename(file)

const typeOf = (label: Label) =>
  label.content === undefined ? findTypeByExtension(extensionOf(nameOf(label))) : findMediaType(label.content)

function labelledOf(label: Label, folder: string): Labelled {
  const { check, expected, thresholds, template, content, media_types, max_file_bytes, required_copy } = label
  return {
    check,
    name: nameOf(label),
    isFaulty: expected === 'fail',
    // Without a copy of the bytes where the file system can.
    write: (file) => copyFileSync(path.join(folder, label.file), file, constants.COPYFILE_FICLONE),
    runs: typeOf(label)?.kind === 'archive',
    expects: {
      mediaTypes: media_types ?? [],
      maxFileBytes: max_file_bytes ?? null,
      requiredCopy: required_copy ?? [],
    },
    ...(thresholds && { thresholds }),
    ...(template !== undefined && { template }),
    ...(content !== undefined && { content }),
  }
}
