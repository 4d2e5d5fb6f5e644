import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, OneOf, Strict } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'

export const HIT_KINDS = ['trader', 'account', 'deposit', 'user'] as const

export const SearchQuery = Strict({
  q: Type.String({ minLength: 1, maxLength: 100, description: 'words of a name, an address, a number or an id' }),
})
export const Hit = named(
  'SearchHit',
  Type.Object({
    kind: OneOf(HIT_KINDS),
    id: Id,
    title: Type.String(),
    subtitle: Type.String(),
    traderId: Nullable(Id),
  }),
)
export type Hit = Static<typeof Hit>
export const SearchOut = named('SearchResult', Type.Object({ data: Type.Array(Hit) }))
