import { Type } from '@sinclair/typebox'
import { Line, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'

const Part = Type.Optional(Line(500))

export const ClickIn = nameSchema(
  'AffiliateClickIn',
  Strict({
    code: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'of an affiliate, of whom a day keeps 20,000 clicks, 2,000 of one network; more are dropped',
    }),
    url: worded(Line(500), 'where the visitor landed; 200 bytes are stored, nothing unless http(s)'),
    referrer: Type.Optional(worded(Line(500), 'stored as `url` is')),
    firm: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'slug of the firm whose affiliate it is, for pages that call a host of several firms. Without it, a code that active affiliates of several firms have is nobody’s; on a firm’s own domain it says nothing',
      }),
    ),
    utm: Type.Optional(
      worded(
        Strict({ source: Part, medium: Part, campaign: Part, term: Part, content: Part }),
        'of each, 200 bytes are stored',
      ),
    ),
    visitorId: Type.Optional(
      Type.String({ maxLength: 500, description: 'as answered before; another one is made where it is malformed' }),
    ),
  }),
)
export const ClickOut = nameSchema(
  'AffiliateClick',
  Type.Object({ visitorId: Type.String({ description: 'keep it, and send it with the registration' }) }),
)
