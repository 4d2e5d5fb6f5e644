import { Type } from '@sinclair/typebox'
import { Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'

/** An affiliate's code as printed on cards; its case does not matter. */
export const AffiliateCode = nameSchema(
  'AffiliateCode',
  Type.String({ pattern: '^[A-Za-z0-9_-]{3,32}$', examples: ['nicosia-fx'] }),
)

/** Optional fields that say who brought a new client or lead; a code wins over the last click. */
export const referral = {
  affiliateCode: Type.Optional(Nullable(worded(AffiliateCode, 'of the affiliate who brought them'))),
  visitorId: Type.Optional(
    Nullable(
      Type.String({ maxLength: 64, description: 'as `affiliates.clicks.track` answered it; its last click counts' }),
    ),
  ),
}
