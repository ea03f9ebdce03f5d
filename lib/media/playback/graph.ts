import { FFmpegError, Filter, type FilterContext, type FilterGraph } from 'node-av/lib'

export const hasFilter = (name: string) => Filter.getByName(name) !== null

export function addFilter(graph: FilterGraph, name: string, args?: string): FilterContext {
  const found = Filter.getByName(name)
  const made = found && graph.createFilter(found, name, args ?? null)
  if (!made) throw new Error(`this build of FFmpeg has no filter “${name}”, or not with ${args ?? 'this'}`)
  return made
}

/** Joins filters one after the other. */
export function chain(filters: readonly FilterContext[]): void {
  for (const [index, next] of filters.slice(1).entries()) {
    const result = filters[index]?.link(0, next, 0) ?? -1
    if (result < 0) throw new Error(`filters cannot be joined (${new FFmpegError(result).message})`)
  }
}
