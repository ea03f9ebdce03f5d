'use client'

import { useEffect, useState } from 'react'
import type { File } from '@/lib/domain/files/schema'
import { type Compared, type Comparison, comparedOf, MOST_COMPARED, readComparison } from './comparing'
import type { Room } from './use-viewed-file'

/**
 * What the file that is viewed is compared with: up to three others, of any batch; its newest other version until something
 * else is chosen. The address names a comparison once, for the file it is of.
 */
export function useComparing({ batch, file }: Room, comparable: readonly File[]) {
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<(Comparison & { fileId: string }) | null>(null)
  const fileId = file?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each file
  useEffect(() => {
    if (!fileId) return
    const named = new URLSearchParams(window.location.hash.slice(1))
    if (named.has('file') && named.get('file') !== fileId) return
    const comparison = readComparison(batch, fileId, named)
    if (!comparison) return
    setChosen({ ...comparison, fileId })
    setOn(true)
  }, [fileId])

  const isViewable = comparable.some(({ id }) => id === fileId)
  const [version] = comparable.filter(({ id }) => id !== fileId)
  const own = chosen !== null && chosen.fileId === fileId ? chosen : null
  const comparison: Comparison = own ?? {
    others: version ? [comparedOf(batch, version)] : [],
    mode: chosen?.mode ?? 'slider',
    pair: version?.id ?? null,
  }
  const put = (change: Partial<Comparison>) => {
    if (fileId) setChosen({ ...comparison, ...change, fileId })
  }
  const isComparing = isOn && isViewable && (comparison.others.length > 0 || own !== null)
  return {
    comparison,
    isComparing,
    toggle() {
      // Without another version something is to be chosen first.
      if (!isComparing && comparison.others.length === 0) put({ mode: 'side' })
      setOn(!isComparing)
    },
    setMode: (mode: Comparison['mode']) => put({ mode }),
    setPair: (pair: string) => put({ pair }),
    add(compared: Compared) {
      const others = [...comparison.others.filter(({ file_id }) => file_id !== compared.file_id), compared]
      if (compared.file_id === fileId || others.length >= MOST_COMPARED) return
      // More than two are seen beside each other.
      put({ others, pair: comparison.pair ?? compared.file_id, ...(others.length > 1 && { mode: 'side' }) })
    },
    remove(id: string) {
      const others = comparison.others.filter(({ file_id }) => file_id !== id)
      put({ others, pair: comparison.pair === id ? (others[0]?.file_id ?? null) : comparison.pair })
    },
  }
}

export type Comparing = ReturnType<typeof useComparing>
