import { get } from '../../api.ts'
import { humanize } from '../../lib/format.ts'

type Hit = { type: string; id: string; title: string; subtitle: string | null }

export type HitGroup = {
  group: string
  items: { id: string; label: string; description: string; to: string }[]
}

const PATHS: Record<string, string> = {
  trader: '/traders',
  deposit: '/deposits',
  account: '/accounts',
}

/** Global search, grouped by kind, each hit with the page it opens. Kinds without a page are left out. */
export const searchEverything = async (q: string): Promise<HitGroup[]> => {
  const { data } = await get<{ data: Hit[] }>('/v1/search', { q })
  const groups = new Map<string, HitGroup>()
  for (const { type, id, title, subtitle } of data) {
    const path = PATHS[type]
    if (!path) continue
    const group = groups.get(type) ?? {
      group: `${humanize(type)}s`,
      items: [],
    }
    group.items.push({
      id,
      label: title,
      description: subtitle ?? '',
      to: `${path}/${id}`,
    })
    groups.set(type, group)
  }
  return [...groups.values()]
}
