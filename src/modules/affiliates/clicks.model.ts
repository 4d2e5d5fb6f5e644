import { Type } from '@sinclair/typebox'
import { Line, Strict } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'

const Part = Type.Optional(Line(500))

export const ClickIn = named(
  'AffiliateClickIn',
  Strict({
    code: Type.String({ minLength: 1, maxLength: 500 }),
    url: Line(500),
    referrer: Part,
    utm: Type.Optional(Strict({ source: Part, medium: Part, campaign: Part, term: Part, content: Part })),
    visitorId: Type.Optional(
      Type.String({ maxLength: 500, description: 'as answered before; another one is made where it is malformed' }),
    ),
  }),
)
export const ClickOut = named(
  'AffiliateClick',
  Type.Object({ visitorId: Type.String({ description: 'keep it, and send it with the registration' }) }),
)
