import { type Static, Type } from '@sinclair/typebox'
import type { BoxFact } from '../../../platform/db/box-facts.ts'
import { Domain, Nullable, OneOf, Slug, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'

const MOST_BOXES = 20

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,30}$',
  description: 'lower-case letters, digits and hyphens',
})
const Address = Type.String({
  minLength: 8,
  maxLength: 200,
  pattern: '^https?://[^/?#\\s@]+$',
  description: 'where this box reaches it',
  examples: ['https://10.0.0.2:8443'],
})
const BoxIn = Strict({ name: Name, url: Address })
/** The boxes that the operator has named, this one among them. */
export const BoxesIn = nameSchema(
  'BoxesIn',
  Strict(
    { boxes: Type.Array(BoxIn, { maxItems: MOST_BOXES }) },
    { examples: [{ boxes: [{ name: 'office-1', url: 'https://10.0.0.1:8443' }] }] },
  ),
)
export type BoxesIn = Static<typeof BoxesIn>
const Stored = Type.Object({ boxes: Type.Array(BoxIn), version: Type.Integer() })
/** The named boxes as they are stored; `version` rises with each change. */
export type StoredBoxes = Static<typeof Stored>
export const BOXES: BoxFact<typeof Stored> = { name: 'boxes', shape: Stored }

/** What a box says of itself to the others. Its texts are of strict forms, since files of a proxy are made of them. */
export const BoxSelf = Type.Object({
  role: OneOf(['starting', 'primary', 'standby', 'replaced']),
  ageSeconds: Nullable(Type.Integer({ description: 'of a standby’s data; null for others' })),
  version: Type.String({ pattern: '^[\\w.+-]{1,64}$' }),
  schema: Type.Integer({ description: 'migrations of the database' }),
  replica: Nullable(Type.Object({ lagMs: Type.Integer() })),
  disk: Type.Object({ freeBytes: Type.Integer(), totalBytes: Type.Integer() }),
  provenAt: Nullable(Time),
  // a box of an older version says nothing of it
  reads: Type.Optional(
    Nullable(
      Type.Object(
        {
          url: worded(Address, 'the standby’s address'),
          there: Type.Integer({ description: 'done there since the start' }),
          here: Type.Integer({ description: 'done here, since the standby was away, too old or too slow' }),
        },
        { description: 'heavy reads, where a standby does them for this box' },
      ),
    ),
  ),
  firms: Type.Array(
    Type.Object({
      id: Type.String({ pattern: '^\\w{1,64}$' }),
      slug: Slug,
      domain: Nullable(Domain),
      state: OneOf(['active', 'suspended']),
    }),
  ),
})
export type BoxSelf = Static<typeof BoxSelf>

const BoxOut = nameSchema(
  'Box',
  Type.Object({
    name: Name,
    url: Address,
    self: Nullable(BoxSelf),
    error: Nullable(Type.String({ description: 'why it said nothing of itself, in words' })),
  }),
)
export type BoxOut = Static<typeof BoxOut>
export const BoxesOut = nameSchema('Boxes', Type.Object({ boxes: Type.Array(BoxOut), version: Type.Integer() }))
