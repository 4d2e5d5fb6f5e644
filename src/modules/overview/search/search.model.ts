import { type Static, Type } from '@sinclair/typebox'
import { Id, NOT_BLANK, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

const HIT_KINDS = ['trader', 'account', 'deposit', 'withdrawal', 'ticket', 'lead', 'affiliate', 'user'] as const
/** An answer has at most this many hits of one kind. */
export const MOST_HITS = 8

export const SearchQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: NOT_BLANK,
    description: 'words of a name, an address, four or more digits of a phone, a number, a reference or an id',
  }),
})
export const Hit = nameSchema(
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
export const SearchOut = nameSchema('SearchResult', Type.Object({ data: Type.Array(Hit) }))

/** Returns the second line of a hit, without its empty parts. */
export const joined = (...parts: (string | null | false)[]): string => parts.filter((part) => part).join(' · ')
