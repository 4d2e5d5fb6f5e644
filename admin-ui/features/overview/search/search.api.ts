import { call, type Row } from '../../../api.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import { groupInSentence } from '../../../lib/text/format.ts'
import { say } from '../../../lib/text/words.ts'

export type Hit = Row<'search.all'>
type Target = { to: string; search: SearchParams }
type HitGroup = {
  kind: Hit['kind']
  group: string
  items: ({ id: string; label: string; description: string } & Target)[]
}

const toTarget = ({ kind, id, title }: Hit): Target => {
  if (kind === 'trader') return { to: `/traders/${id}`, search: {} }
  if (kind === 'deposit') return { to: `/deposits/${id}`, search: {} }
  if (kind === 'withdrawal') return { to: `/withdrawals/${id}`, search: {} }
  if (kind === 'ticket') return { to: `/support/${id}`, search: {} }
  if (kind === 'lead') return { to: '/leads', search: { lead: id } }
  if (kind === 'affiliate') return { to: `/affiliates/${id}`, search: {} }
  if (kind === 'user') return { to: '/users', search: { q: title } }
  return { to: `/accounts/${id}`, search: {} }
}

/** Returns whether the title of a hit is an amount; people wrote the other titles, which stay as they are. */
const isMoney = ({ kind }: Hit): boolean => kind === 'deposit' || kind === 'withdrawal'

/** Searches everything, and returns the hits grouped by kind, each with the page that it opens. */
export const searchEverything = async (q: string): Promise<HitGroup[]> => {
  const [{ data }, { describeHit }] = await Promise.all([
    call('search.all', { query: { q } }),
    import('./hit-words.ts'),
  ])
  const groups = new Map<string, HitGroup>()
  for (const hit of data) {
    const name = say(`palette.kind.${hit.kind}`)
    const group = groups.get(name) ?? { kind: hit.kind, group: name, items: [] }
    group.items.push({
      id: hit.id,
      label: isMoney(hit) ? groupInSentence(hit.title) : hit.title,
      description: describeHit(hit),
      ...toTarget(hit),
    })
    groups.set(name, group)
  }
  return [...groups.values()]
}
