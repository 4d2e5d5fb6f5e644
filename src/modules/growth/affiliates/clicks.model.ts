import { Type } from '@sinclair/typebox'
import { Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** This is longer than any address that browsers send. */
const LONGEST = 8000
/** Texts of a visit are accepted whatever they contain: for a refused click, nobody would have brought the client. */
const Given = (description?: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: LONGEST, ...(description !== undefined && { description }) })))

export const ClickIn = nameSchema(
  'AffiliateClickIn',
  Type.Object(
    {
      code: Type.String({
        maxLength: LONGEST,
        description: 'of an affiliate, of whom a day keeps 20,000 clicks, 2,000 of one network; more are dropped',
        examples: ['nicosia-fx'],
      }),
      url: Given('where the visitor landed; 200 bytes are stored, nothing unless http(s)'),
      referrer: Given('stored as `url` is'),
      firm: Given(
        'slug of the firm whose affiliate it is, for pages that call a host of several firms. Without it, a code that active affiliates of several firms have is nobody’s; on a firm’s own domain it says nothing',
      ),
      utm: Type.Optional(
        Nullable(
          Type.Object(
            { source: Given(), medium: Given(), campaign: Given(), term: Given(), content: Given() },
            { additionalProperties: false, description: 'of each, 200 bytes are stored' },
          ),
        ),
      ),
      visitorId: Given('as answered before; another one is made where it is malformed'),
    },
    { additionalProperties: false },
  ),
)
export const ClickOut = nameSchema(
  'AffiliateClick',
  Type.Object({ visitorId: Type.String({ description: 'keep it, and send it with the registration' }) }),
)
