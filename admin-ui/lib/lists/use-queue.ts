import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { heldQueue, placeIn } from './queue.ts'
import { parseSearch, type SearchParams } from './search-params.ts'
import type { Place } from './use-beside.ts'

/** The place of the open record in the list that it was opened from, and the way to its neighbours. */
type QueuePlace = Place & { list: string }

/** Returns the address of a list in the router's form. */
export const listPlace = (list: string): { to: string; search: SearchParams } => {
  const [to = '/', search = ''] = list.split('?')
  return { to, search: parseSearch(search) }
}

/** Returns the place of the open record; null if it was opened from elsewhere. */
export function useQueue(): QueuePlace | null {
  const router = useRouter()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const place = useMemo(() => placeIn(heldQueue(), path), [path])
  if (!place) return null
  return {
    ...place,
    // the other record replaces this one in the history, so that Back leads to the list
    go: (to) => {
      const href = place[to]
      if (href !== null) void router.navigate({ to: href, replace: true })
    },
  }
}
