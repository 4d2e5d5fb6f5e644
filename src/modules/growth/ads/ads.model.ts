import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Line, Nullable, OneOf, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import {
  type AdBackfillRow,
  type AdConnectionRow,
  adConnections,
  BACKFILL_STATUS,
  CONNECTION_STATUS,
} from './ads.table.ts'

/** A connection has at most this many pages, since a test asks the platform about each. */
const MOST_PAGES = 50

/** An id of the platform becomes a part of an address that we call, so it must not contain a path. */
const PlatformId = nameSchema('PlatformId', Type.String({ pattern: '^\\w[\\w-]*$', minLength: 1, maxLength: 64 }))
/** The platform's token is sent in a header, which accepts only these characters. */
const Token = nameSchema('AdToken', Type.String({ minLength: 1, maxLength: 1000, pattern: '^[!-~]+$' }))
const Credentials = nameSchema('AdCredentials', Strict({ accessToken: Token, appSecret: Token, verifyToken: Token }))
const places = {
  adAccountId: Type.Optional(Nullable(PlatformId)),
  pageIds: Type.Optional(Type.Array(PlatformId, { maxItems: MOST_PAGES, uniqueItems: true })),
  pixelId: Type.Optional(Nullable(PlatformId)),
  datasetId: Type.Optional(Nullable(PlatformId)),
}
const example = { platform: 'social', name: 'Spring', adAccountId: 'act_71', pageIds: ['104555'] } as const
const TIME = '2026-01-31T09:30:00.000Z'
const TimeOrNull = nameSchema('TimeOrNull', Nullable(Time))

export const AdConnectionIn = nameSchema(
  'AdConnectionIn',
  Strict(
    { platform: OneOf(['social']), name: Line(100), credentials: Credentials, ...places },
    { examples: [{ ...example, credentials: { accessToken: 'EAAB1', appSecret: '5f3c', verifyToken: 'spring' } }] },
  ),
)
export const AdConnectionPatch = nameSchema(
  'AdConnectionPatch',
  Strict(
    {
      name: Type.Optional(Line(100)),
      credentials: Type.Optional(Credentials),
      ...places,
      status: Type.Optional(OneOf(['active', 'disabled'])),
    },
    { examples: [{ name: 'Autumn', status: 'disabled' }] },
  ),
)

export const BackfillIn = nameSchema(
  'AdBackfillIn',
  Strict({
    connectionId: Id,
    formId: PlatformId,
    since: Type.String({ format: 'date-time', maxLength: 40, description: 'at most 90 days back' }),
  }),
)
export const BackfillOut = nameSchema(
  'AdBackfill',
  Type.Object(
    {
      id: Id,
      connectionId: Id,
      formId: Type.String(),
      since: Time,
      status: OneOf(BACKFILL_STATUS),
      fetched: Type.Integer(),
      created: Type.Integer(),
      duplicates: Type.Integer(),
      failed: Type.Integer(),
      lastError: Nullable(Type.String()),
      nextAttemptAt: TimeOrNull,
      createdAt: Time,
      finishedAt: TimeOrNull,
    },
    {
      examples: [
        {
          id: 'adb_1',
          connectionId: 'adc_1',
          formId: '778812',
          since: TIME,
          status: 'running',
          fetched: 100,
          created: 97,
          duplicates: 2,
          failed: 1,
          lastError: null,
          nextAttemptAt: null,
          createdAt: TIME,
          finishedAt: null,
        },
      ],
    },
  ),
)
export type Backfill = Static<typeof BackfillOut>

export const AdConnectionOut = nameSchema(
  'AdConnection',
  Type.Object(
    {
      id: Id,
      platform: OneOf(['social']),
      name: Type.String(),
      adAccountId: Nullable(Type.String()),
      pageIds: Type.Array(Type.String()),
      pixelId: Nullable(Type.String()),
      datasetId: Nullable(Type.String()),
      status: OneOf(CONNECTION_STATUS),
      lastError: Nullable(Type.String()),
      testedAt: TimeOrNull,
      lastLeadAt: TimeOrNull,
      waitsUntil: TimeOrNull,
      backfills: Type.Optional(Type.Array(BackfillOut, { description: 'of one connection: the last 20' })),
      version: Version,
      createdAt: Time,
      updatedAt: Time,
    },
    {
      examples: [
        {
          id: 'adc_1',
          ...example,
          pixelId: null,
          datasetId: null,
          status: 'active',
          lastError: null,
          testedAt: TIME,
          lastLeadAt: null,
          waitsUntil: null,
          version: 1,
          createdAt: TIME,
          updatedAt: TIME,
        },
      ],
    },
  ),
)
export type AdConnection = Static<typeof AdConnectionOut>

const CHECKS = ['identity', 'ad_account', 'page'] as const
export const AdTestOut = nameSchema(
  'AdConnectionTest',
  Type.Object(
    {
      id: Id,
      status: OneOf(CONNECTION_STATUS),
      lastError: Nullable(Type.String()),
      testedAt: TimeOrNull,
      checks: Type.Array(
        Type.Object({
          what: OneOf(CHECKS),
          id: Nullable(Type.String()),
          ok: Type.Boolean(),
          name: Nullable(Type.String()),
          message: Nullable(Type.String()),
        }),
      ),
      version: Version,
    },
    {
      examples: [
        {
          id: 'adc_1',
          status: 'active',
          lastError: null,
          testedAt: TIME,
          version: 1,
          checks: [{ what: 'page', id: '104555', ok: true, name: 'Meridian', message: null }],
        },
      ],
    },
  ),
)
export type AdTest = Static<typeof AdTestOut>
export type AdCheck = AdTest['checks'][number]

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))

/** Returns the wire form of a connection, without its credentials. */
export const toConnection = (row: AdConnectionRow, now: number): AdConnection => ({
  id: row.id,
  platform: row.platform,
  name: row.name,
  adAccountId: row.adAccountId,
  pageIds: row.pageIds,
  pixelId: row.pixelId,
  datasetId: row.datasetId,
  status: row.status,
  lastError: row.lastError,
  testedAt: isoOrNull(row.testedAt),
  lastLeadAt: isoOrNull(row.lastLeadAt),
  waitsUntil: row.waitUntil > now ? toIso(row.waitUntil) : null,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const toBackfill = (row: AdBackfillRow): Backfill => ({
  id: row.id,
  connectionId: row.connectionId,
  formId: row.formId,
  since: toIso(row.since),
  status: row.status,
  fetched: row.fetched,
  created: row.created,
  duplicates: row.duplicates,
  failed: row.failed,
  lastError: row.lastError,
  nextAttemptAt: row.status === 'waiting' ? toIso(row.nextAttemptAt) : null,
  createdAt: toIso(row.createdAt),
  finishedAt: isoOrNull(row.finishedAt),
})

export const connectionList = defineList({
  name: 'ad_connections',
  table: adConnections,
  filters: { status: equals(adConnections.status) },
})

export const HandshakeQuery = Strict({
  'hub.mode': Type.String({ maxLength: 50 }),
  'hub.verify_token': Type.String({ minLength: 1, maxLength: 1000 }),
  'hub.challenge': Type.String({ minLength: 1, maxLength: 500, pattern: '^[ -~]+$' }),
})
/** Answers the challenge unchanged, as plain text. */
export const ChallengeOut = Type.Unsafe<Response>(
  Type.String({ description: 'the challenge', contentMediaType: 'text/plain' }),
)

const IdAsSent = Type.Unsafe<string | number>({ type: ['string', 'number'] })
/** The part of the platform's body that is read, for the document of the interface. */
export const NotificationIn = nameSchema(
  'AdNotificationIn',
  Type.Object(
    {
      object: Type.String(),
      entry: Type.Array(
        Type.Object({
          id: IdAsSent,
          changes: Type.Array(
            Type.Object({
              field: Type.String(),
              value: Type.Object({ leadgen_id: IdAsSent, form_id: Type.Optional(IdAsSent) }),
            }),
          ),
        }),
      ),
    },
    {
      examples: [
        { object: 'page', entry: [{ id: '104555', changes: [{ field: 'leadgen', value: { leadgen_id: '4444' } }] }] },
      ],
    },
  ),
)
export const NotificationOut = nameSchema(
  'AdNotificationTaken',
  Type.Object({ received: Type.Integer({ description: 'leads that were new to a connection' }) }),
)
