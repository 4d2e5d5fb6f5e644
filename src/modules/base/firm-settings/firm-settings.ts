import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ROLES } from '../../../platform/access/catalogue.ts'
import { ownSettings } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { MOST_COUNTED } from '../../../platform/distinct-counts.ts'
import { invalid } from '../../../platform/problem.ts'
import {
  Amount,
  Currency,
  knownCurrency,
  Line,
  OneOf,
  parsePositiveAmountField,
  Strict,
} from '../../../platform/wire/fields.ts'
import { worded } from '../../../platform/wire/schema-name.ts'
import { isTimeZone } from '../../../platform/zone.ts'
import { say } from '../../../words/say.ts'

/** The interface names this platform, so every firm may use it, whatever else the firm lists. RULES “Firm settings”. */
const FIRST_PLATFORM = 'terminal5'

const Conversion = Strict({
  spread: Type.Number({
    minimum: 0,
    maximum: 0.2,
    description: 'share of the mid price that a client’s own conversion costs; 0.005 is half a per cent',
  }),
  maxAgeHours: Type.Integer({ minimum: 1, maximum: 168, description: 'hours after which a mid price is too old' }),
  dailyLimit: worded(Amount, 'what one client may convert in 24 hours, in the approval policy’s currency'),
})
const Security = Strict({
  secondFactorRoles: Type.Array(OneOf(ROLES), {
    maxItems: ROLES.length,
    uniqueItems: true,
    description: 'roles that must sign in with a second factor',
  }),
})
const MOST_PLATFORMS = 50
const Platforms = Type.Array(Line(50), { maxItems: MOST_PLATFORMS, uniqueItems: true })

export const FirmSettings = Strict({
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name such as Europe/Nicosia' }),
  currency: Currency,
  conversion: Conversion,
  platforms: Platforms,
  platformAcknowledges: Type.Boolean({
    description:
      'a bridge (by a key that an owner made) acknowledges transfers; without it they count as booked at once',
  }),
  security: Security,
  payoutMinimum: worded(Amount, 'least payout of an affiliate, in the firm’s currency'),
  maxAcquisition: worded(
    Amount,
    'the most that one client’s acquisition earns the whole chain, times the plan’s cap, in the firm’s currency',
  ),
  keepYears: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: 'years for which the record of an erased client is kept after the last money or decision',
  }),
  readsPerDay: Type.Integer({
    minimum: 1,
    maximum: MOST_COUNTED - 1,
    description: 'clients whom one colleague may read in a day before all owners are told',
  }),
})
export type FirmSettings = Static<typeof FirmSettings>

/** A patch may name any setting, and any member of a group; the others stay. */
export const FirmSettingsPatch = Type.Object({
  timeZone: Type.Optional(FirmSettings.properties.timeZone),
  currency: Type.Optional(Currency),
  conversion: Type.Optional(Type.Partial(Conversion, { additionalProperties: false })),
  platforms: Type.Optional(Platforms),
  platformAcknowledges: Type.Optional(Type.Boolean()),
  security: Type.Optional(Type.Partial(Security, { additionalProperties: false })),
  payoutMinimum: Type.Optional(FirmSettings.properties.payoutMinimum),
  maxAcquisition: Type.Optional(FirmSettings.properties.maxAcquisition),
  keepYears: Type.Optional(FirmSettings.properties.keepYears),
  readsPerDay: Type.Optional(FirmSettings.properties.readsPerDay),
})
type Patch = Static<typeof FirmSettingsPatch>

const DEFAULTS: FirmSettings = {
  timeZone: 'UTC',
  currency: 'USD',
  conversion: { spread: 0.005, maxAgeHours: 24, dailyLimit: '10000' },
  platforms: [FIRST_PLATFORM, 'terminal4', 'other'],
  platformAcknowledges: false,
  security: { secondFactorRoles: [] },
  payoutMinimum: '50.00',
  maxAcquisition: '1000.00',
  keepYears: 5,
  readsPerDay: 500,
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the first setting of a patch that only an owner may change. */
export function ownerOnly(before: FirmSettings, patch: Patch): string | undefined {
  if (patch.conversion !== undefined) return 'conversion'
  if (patch.security !== undefined) return 'security'
  if (patch.maxAcquisition !== undefined) return 'maxAcquisition'
  if (patch.keepYears !== undefined) return 'keepYears'
  if (patch.readsPerDay !== undefined) return 'readsPerDay'
  // an owner alone decides whether the platform acknowledges its orders
  const { platformAcknowledges = before.platformAcknowledges } = patch
  return platformAcknowledges === before.platformAcknowledges ? undefined : 'platformAcknowledges'
}

/** Changing one of these lowers a protection, so it needs a fresh sign-in and is mailed to every owner. */
const GUARDED = [
  'conversion',
  'security',
  'platformAcknowledges',
  'currency',
  'keepYears',
  'maxAcquisition',
  'readsPerDay',
] as const

/** Returns the guarded settings that a change touches. RULES “Fresh sign-in”. */
export const guardedChanges = (before: FirmSettings, after: Partial<FirmSettings>): (typeof GUARDED)[number][] =>
  GUARDED.filter((name) => after[name] !== undefined && JSON.stringify(after[name]) !== JSON.stringify(before[name]))

/** Returns the same key for names of platforms that look alike: case, blanks and similar signs do not count. */
export const platformKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\p{C}\p{M}]+/gu, '')
    .toLowerCase()
    .replace(/[il|]/gu, '1')
    .replace(/o/gu, '0')
/** A new name is printable ASCII, since many other signs look like these or are invisible. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/

/**
 * Returns the platforms after a patch, with trimmed names. A new name that looks like another one is refused: people
 * would take it for that platform, but it would have no bridge.
 */
function platformsAfter(before: readonly string[], wanted: readonly string[]): string[] {
  const given = [FIRST_PLATFORM, ...wanted.filter((name) => name !== FIRST_PLATFORM)]
  if (given.length > MOST_PLATFORMS)
    throw invalid(
      'platforms',
      'too_many',
      say('tenants.field.platforms_too_many', { mostPlatforms: MOST_PLATFORMS, firstPlatform: FIRST_PLATFORM }),
    )
  return given.map((name, index) => {
    if (before.includes(name)) return name
    const plain = name.trim()
    if (!PLAIN_NAME.test(plain)) throw invalid('platforms', 'format', say('tenants.field.platform_format'))
    if (given.some((other, at) => at !== index && platformKey(other) === platformKey(name)))
      throw invalid('platforms', 'repeated', say('tenants.field.platforms_alike'))
    return plain
  })
}

/** Returns the settings among a tenant's fields. */
export const pickSettings = ({
  timeZone,
  currency,
  conversion,
  platforms,
  platformAcknowledges,
  security,
  payoutMinimum,
  maxAcquisition,
  keepYears,
  readsPerDay,
}: FirmSettings): FirmSettings => ({
  timeZone,
  currency,
  conversion,
  platforms,
  platformAcknowledges,
  security,
  payoutMinimum,
  maxAcquisition,
  keepYears,
  readsPerDay,
})

/**
 * Checks a patch beyond its schema and returns the settings after it;
 * groups are merged by member. Throws the 422 that names the field.
 */
export function changedSettings(before: FirmSettings, patch: Patch): FirmSettings {
  const { timeZone = before.timeZone, currency = before.currency } = patch
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'unknown', say('problems.field.time_zone_unknown'))
  knownCurrency('currency', currency)
  const conversion = { ...before.conversion, ...patch.conversion }
  // the limit is in the approval policy's currency, which may change, so any positive amount is accepted
  if (patch.conversion?.dailyLimit !== undefined)
    parsePositiveAmountField('conversion.dailyLimit', conversion.dailyLimit, 'BTC')
  const { payoutMinimum = before.payoutMinimum, maxAcquisition = before.maxAcquisition } = patch
  // the default minimum of 50.00 is not valid in a currency without cents
  if (patch.payoutMinimum !== undefined) parsePositiveAmountField('payoutMinimum', payoutMinimum, currency)
  if (patch.maxAcquisition !== undefined) parsePositiveAmountField('maxAcquisition', maxAcquisition, currency)
  return {
    timeZone,
    currency,
    payoutMinimum,
    maxAcquisition,
    conversion,
    platforms: platformsAfter(before.platforms, patch.platforms ?? before.platforms),
    platformAcknowledges: patch.platformAcknowledges ?? before.platformAcknowledges,
    security: { ...before.security, ...patch.security },
    keepYears: patch.keepYears ?? before.keepYears,
    readsPerDay: patch.readsPerDay ?? before.readsPerDay,
  }
}

// A stored name of a platform stays valid although it could not be entered today; otherwise its bridge would be
// refused.
const STORED = { ...FirmSettings.properties, platforms: Type.Array(Type.String(), { minItems: 1 }) }

/** Returns stored settings with the defaults for what is missing or no longer fits its schema. */
export function completeSettings(stored: string): FirmSettings {
  const parsed: unknown = JSON.parse(stored)
  const given = isObject(parsed) ? parsed : {}
  const settings: FirmSettings = { ...DEFAULTS }
  for (const [key, schema] of Object.entries(STORED))
    if (Value.Check(schema, given[key])) Object.assign(settings, { [key]: given[key] })
  return settings
}

/** Reads the firm's settings. `db` must see the whole firm: a request of a client reads through `tx.unowned`. */
export const readFirmSettings = (db: Reader): FirmSettings => completeSettings(ownSettings(db))
