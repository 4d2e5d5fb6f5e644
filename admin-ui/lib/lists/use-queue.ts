import { useHotkeys } from '@mantine/hooks'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { heldQueue, type Place, placeIn } from './queue.ts'
import { parseSearch, type SearchParams } from './search-params.ts'

/** The place of the open record in the list that it was opened from, and the way to its neighbours. */
export type QueuePlace = Place & {
  /** Opens the record before or after this one in its place: Back leads to the list. */
  go(to: 'previous' | 'next'): void
}

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
    go: (to) => {
      const href = place[to]
      if (href !== null) void router.navigate({ to: href, replace: true })
    },
  }
}

/** J and K move through the records of a queue, as they do through the rows of its list. */
export function useQueueKeys(queue: QueuePlace | null): void {
  useHotkeys([
    ['J', () => queue?.go('next')],
    ['K', () => queue?.go('previous')],
  ])
}
