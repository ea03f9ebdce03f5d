import { cn } from '@/components/ui/cn'
import type { Template, TemplatePart, TemplateProblem } from '@/lib/domain/naming/template'
import { TOKENS } from '@/lib/domain/naming/tokens'

/** A template as it is read: tokens as chips, fixed text between them, what may be left out in a dashed frame. */
export function TemplateChips({ template }: { template: Template }) {
  const groups: { option: number | null; parts: TemplatePart[] }[] = []
  for (const part of template.parts) {
    const last = groups.at(-1)
    if (last && last.option === part.option) last.parts.push(part)
    else groups.push({ option: part.option, parts: [part] })
  }
  return (
    <p className="flex flex-wrap items-center gap-y-1.5 text-sm">
      {groups.map(({ option, parts }) => {
        const drawn = parts.map((part) => <Part key={`${part.index} ${part.kind}`} part={part} template={template} />)
        const key = parts[0]?.index
        if (option === null)
          return (
            <span key={key} className="contents">
              {drawn}
            </span>
          )
        return (
          <span
            key={key}
            className="mx-0.5 inline-flex flex-wrap items-center rounded-md border border-dashed border-line-control px-1 py-0.5"
          >
            <span className="sr-only">optional: </span>
            {drawn}
            <span aria-hidden="true" className="ml-1 text-2xs text-ink-subtle">
              optional
            </span>
          </span>
        )
      })}
    </p>
  )
}

function Part({ part, template }: { part: TemplatePart; template: Template }) {
  if (part.kind === 'literal') return <code className="px-0.5 font-mono text-ink">{part.text}</code>
  if (part.token === 'ext' && template.fixedExtension) {
    return <code className="font-mono text-ink">{template.fixedExtension}</code>
  }
  return (
    <span className="inline-flex h-6 items-center rounded-md border border-accent-line bg-accent-soft px-1.5 text-xs font-medium text-accent-ink">
      {TOKENS[part.token].label}
    </span>
  )
}

/** A template that cannot be read, with every wrong place marked. */
export function TemplateFaults({ source, problems }: { source: string; problems: readonly TemplateProblem[] }) {
  const pieces: { text: string; isWrong: boolean; index: number }[] = []
  let at = 0
  for (const { index, length } of problems) {
    const start = Math.max(at, index)
    const end = Math.min(source.length, index + length)
    if (end <= start) continue
    if (start > at) pieces.push({ text: source.slice(at, start), isWrong: false, index: at })
    pieces.push({ text: source.slice(start, end), isWrong: true, index: start })
    at = end
  }
  if (at < source.length) pieces.push({ text: source.slice(at), isWrong: false, index: at })
  return (
    <code className="block font-mono text-sm leading-6 wrap-anywhere whitespace-pre-wrap">
      {pieces.map(({ text, isWrong, index }) => (
        <span
          key={index}
          className={cn(
            isWrong &&
              'rounded-sm bg-fail-soft text-fail-ink underline decoration-wavy decoration-from-font underline-offset-4',
          )}
        >
          {text}
        </span>
      ))}
    </code>
  )
}
