'use client'

import { useQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus, Share2, Trash2 } from 'lucide-react'
import dynamic from 'next/dynamic'
import { usePathname, useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '@/components/ui/menu'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { SavedView } from '@/lib/domain/saved-views/schema'
import type { SavedViewPlace } from '@/lib/vocabulary'

const SaveViewDialog = dynamic(() => import('./save-view-dialog').then((module) => module.SaveViewDialog), {
  loading: () => null,
})

/** Saved views of the list on this page, and the list as it is now under a new name. `params`: what the list reads of the address. */
export function SavedViewsMenu({
  place,
  params,
  mayShare,
}: {
  place: SavedViewPlace
  params: readonly string[]
  mayShare: boolean
}) {
  const pathname = usePathname()
  const search = useSearchParams()
  const [isAsked, setAsked] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const key = ['saved views', place]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => api('GET /api/saved-views', { query: { place } }),
    enabled: isAsked,
    staleTime: 60_000,
  })
  const share = useApiMutation({
    request: ({ id, is_shared }: SavedView) =>
      apiRequest('PATCH /api/saved-views/{view_id}', { params: { view_id: id }, body: { is_shared: !is_shared } }),
    success: ({ name, is_shared }) => (is_shared ? `“${name}” is shared with everybody` : `“${name}” is yours alone`),
    invalidate: [key],
    refresh: false,
  })
  const remove = useApiMutation({
    request: ({ id }: SavedView) => apiRequest('DELETE /api/saved-views/{view_id}', { params: { view_id: id } }),
    success: ({ name }) => `View “${name}” deleted`,
    invalidate: [key],
    refresh: false,
  })
  const now = Object.fromEntries(params.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])))
  const views = data?.saved_views ?? []
  const current = views.find(({ query }) => sameQuery(query, now, params))
  const groups = [
    { label: 'My views', of: views.filter(({ is_shared, may_edit }) => may_edit && !is_shared) },
    { label: 'Shared with everybody', of: views.filter(({ is_shared }) => is_shared) },
  ]
  return (
    <>
      <Menu
        trigger={
          <Button
            variant={current ? 'soft' : 'ghost'}
            onPointerEnter={() => setAsked(true)}
            onFocus={() => setAsked(true)}
          >
            <Bookmark />
            <span className="max-w-40 truncate">{current?.name ?? 'Views'}</span>
          </Button>
        }
      >
        {groups.map(
          ({ label, of }) =>
            of.length > 0 && (
              <MenuGroup key={label} label={label}>
                {of.map((view) => (
                  <MenuLink
                    key={view.id}
                    href={`${pathname}?${new URLSearchParams(view.query)}`}
                    icon={<Bookmark className={view === current ? 'text-accent-ink!' : undefined} />}
                  >
                    {view.name}
                  </MenuLink>
                ))}
              </MenuGroup>
            ),
        )}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem icon={<BookmarkPlus />} onClick={() => setSaving(true)}>
          Save this view…
        </MenuItem>
        {current?.may_edit && (
          <>
            {(mayShare || current.is_shared) && (
              <MenuItem icon={<Share2 />} onClick={() => share.mutate(current)}>
                {current.is_shared ? `Stop sharing “${current.name}”` : `Share “${current.name}”`}
              </MenuItem>
            )}
            <MenuItem icon={<Trash2 />} tone="danger" onClick={() => remove.mutate(current)}>
              Delete “{current.name}”
            </MenuItem>
          </>
        )}
      </Menu>
      {isSaving && <SaveViewDialog place={place} query={now} mayShare={mayShare} close={() => setSaving(false)} />}
    </>
  )
}

/** What the list does not read, of an older version of it, makes no difference. */
const sameQuery = (a: Record<string, string>, b: Record<string, string>, params: readonly string[]) =>
  params.every((name) => (a[name] ?? '') === (b[name] ?? ''))
