import {
  Building2,
  FileImage,
  FolderKanban,
  Layers,
  MessageSquare,
  ReceiptText,
  ScanText,
  TriangleAlert,
  UserRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { SearchResult } from '@/lib/domain/search/schema'
import type { SearchKind } from '@/lib/vocabulary'

const ICONS: Record<SearchKind, ReactNode> = {
  project: <FolderKanban />,
  batch: <Layers />,
  file: <FileImage />,
  estimate: <ReceiptText />,
  comment: <MessageSquare />,
  text: <ScanText />,
  finding: <TriangleAlert />,
  agency: <Building2 />,
  person: <UserRound />,
}

export const iconOf = (kind: SearchKind) => ICONS[kind]

/** Where a result is looked at. `mayManage`: an agency is changed there; for others it is its projects. */
export function placeOf(
  { kind, id, hint, project_id, batch_id, file_id, check_id }: SearchResult,
  mayManage: boolean,
): string {
  const batch = `/projects/${project_id}/batches/${batch_id}`
  switch (kind) {
    case 'project':
      return `/projects/${id}`
    case 'batch':
      return batch
    case 'file':
      return `${batch}#file=${id}`
    case 'estimate':
      return `/cost-estimates/${id}`
    case 'comment':
      return `${batch}/review?file=${file_id}#comment=${id}`
    case 'text':
      return `${batch}/review?file=${file_id}`
    case 'finding':
      return `${batch}/review?file=${file_id}#check=${check_id}`
    case 'agency':
      return mayManage ? `/settings/agencies?q=${encodeURIComponent(hint)}` : `/projects?agency_id=${id}`
    case 'person':
      return `/settings/users?q=${encodeURIComponent(hint)}`
  }
}
