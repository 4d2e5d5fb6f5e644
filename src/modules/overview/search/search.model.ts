import { type Static, Type } from '@sinclair/typebox'
import { Id, NOT_BLANK, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

const HIT_KINDS = ['trader', 'account', 'deposit', 'withdrawal', 'ticket', 'lead', 'affiliate', 'user'] as const
const FACTS = ['text', 'platform', 'status', 'priority', 'note'] as const
/** An answer has at most this many hits of one kind. */
export const MOST_HITS = 8

export const SearchQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: NOT_BLANK,
    description:
      'words of a name, an address, four or more digits of a phone, a number, a reference, an id, or an amount',
  }),
})
export const Hit = nameSchema(
  'SearchHit',
  Type.Object({
    kind: OneOf(HIT_KINDS),
    id: Id,
    title: Type.String(),
    subtitle: Type.String(),
    facts: Type.Array(Type.Object({ is: OneOf(FACTS), value: Type.String() }), {
      description: 'the parts of `subtitle`, so that states can be shown by other words',
    }),
    traderId: Nullable(Id),
  }),
)
export type Hit = Static<typeof Hit>
export const SearchOut = nameSchema('SearchResult', Type.Object({ data: Type.Array(Hit) }))

type Facts = { [K in (typeof FACTS)[number]]?: string | null | false }

/** Returns a hit whose second line is made of its facts, without the empty ones. */
export function buildHit({ facts, ...hit }: Omit<Hit, 'subtitle' | 'facts'> & { facts: Facts }): Hit {
  const told = FACTS.flatMap((is) => {
    const value = facts[is]
    return value ? [{ is, value }] : []
  })
  return {
    ...hit,
    subtitle: told.map(({ is, value }) => (is === 'status' ? value.replaceAll('_', ' ') : value)).join(' · '),
    facts: told,
  }
}
