import { Type } from '@sinclair/typebox'
import { say } from '../../../words/say.ts'
import { nameSchema } from '../../wire/schema-name.ts'
import { isObject, type Json } from './schemas.ts'

/** Every error of this API. */
export const ProblemOut = nameSchema(
  'Problem',
  Type.Object({
    type: Type.String({ examples: ['urn:brokerbase:problem:validation'] }),
    title: Type.String({ examples: ['Invalid input'] }),
    status: Type.Integer({ examples: [422] }),
    detail: Type.String({ examples: [say('problems.error.validation')] }),
    code: Type.String({ description: 'stable, for programs', examples: ['validation'] }),
    errors: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['amount'] }),
        code: Type.String({ examples: ['not_positive'] }),
        message: Type.String({ examples: [say('problems.field.not_positive')] }),
      }),
    ),
    requestId: Type.String({ description: 'finds the log line', examples: ['4f1c2a90b7de'] }),
  }),
)

type Answer = { name: string; description: string; headers?: readonly string[] }

/** The answers other than a success, by status. */
const ANSWERS: Readonly<Record<number, Answer>> = {
  304: { name: 'NotModified', description: 'Still the version of If-None-Match', headers: ['ETag'] },
  400: { name: 'BadRequest', description: 'The address or the body is malformed' },
  401: { name: 'Unauthorized', description: 'Not signed in', headers: ['WWW-Authenticate'] },
  403: { name: 'Forbidden', description: 'Not allowed' },
  404: { name: 'NotFound', description: 'Not there, or not yours' },
  408: { name: 'TooSlow', description: 'The body took too long to arrive' },
  409: { name: 'Conflict', description: 'The current state does not allow it, or the Idempotency-Key is taken' },
  410: { name: 'Gone', description: 'Used or expired' },
  412: { name: 'PreconditionFailed', description: 'Changed meanwhile (If-Match)' },
  413: { name: 'TooLarge', description: 'The body is too large' },
  415: { name: 'WrongType', description: 'The body is of another type' },
  422: { name: 'Invalid', description: 'Fields, parameters or headers are not valid; `errors` names them' },
  429: { name: 'TooManyRequests', description: 'Wait and repeat', headers: ['Retry-After'] },
  503: {
    name: 'Busy',
    description: 'Nothing was changed, unless the code is `replica_behind`; wait and repeat',
    headers: ['Retry-After'],
  },
  507: { name: 'NoRoom', description: 'The disk of the server has no room for this' },
}

/** Returns a reference to the answer of a status. */
export function buildAnswerRef(status: number): Json {
  const answer = ANSWERS[status]
  if (!answer) throw new Error(`The status ${status} has no answer in the document.`)
  return { $ref: `#/components/responses/${answer.name}` }
}

const RATE_LIMITS = ['Limit', 'Remaining', 'Reset'].flatMap((what) =>
  ['Short', 'Medium', 'Long'].map((tier) => `X-RateLimit-${what}-${tier}`),
)
/** The headers of every answer of /v1; `successHeaders` says where they are declared. */
const EVERYWHERE = ['X-Request-Id', 'X-RateLimit-Tracker', ...RATE_LIMITS]

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', examples: [example] },
})

const WINDOWS = [
  ['Short', 'second'],
  ['Medium', 'minute'],
  ['Long', 'hour'],
] as const

const HEADERS: Json = {
  'X-Request-Id': text('finds the log line of this request', '4f1c2a90b7de'),
  'X-RateLimit-Tracker': text('whose requests are counted together', 'key:01jk2v7m9q4x8r3t6w5y0z1abc'),
  ...Object.fromEntries(
    WINDOWS.flatMap(([tier, window]) => [
      [`X-RateLimit-Limit-${tier}`, count(`requests allowed in one ${window}; absent where that is not limited`, 100)],
      [`X-RateLimit-Remaining-${tier}`, count(`requests left in this ${window}`, 99)],
      [`X-RateLimit-Reset-${tier}`, count(`seconds until the next ${window} begins`, 1)],
    ]),
  ),
  ETag: text('the row’s `version`, for If-Match and If-None-Match', '"3"'),
  'Idempotent-Replayed': {
    description: 'present where this is the first answer to the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': count('seconds to wait', 1),
  'Set-Cookie': text('the session of a browser', 'crm_session=…; HttpOnly; SameSite=Lax; Path=/'),
  'WWW-Authenticate': text('how to sign in', 'ApiKey'),
}

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Returns whether answers of this schema have the row's version as their ETag. */
export const hasVersion = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema.properties) && 'version' in schema.properties

/**
 * Returns the headers of a success: the request's id, and `more`. Every answer has the rate limits too, but only errors
 * declare them, by reference; on each success they would make a quarter of the document.
 */
export const successHeaders = (more: readonly string[]): Json => headerRefs(['X-Request-Id', ...more])

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same body within 24 hours is answered with the first answer, and done once.',
    schema: { type: 'string', maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the row as it was read; 412 where it was changed meanwhile. Absent or `*` means any.',
    schema: { type: 'string', pattern: '^(\\*|(W/)?"\\d{1,15}")$' },
    example: '*',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the row as it is known; 304 without a body where it is still that.',
    schema: { type: 'string' },
  },
} as const
type HeaderParameter = keyof typeof PARAMETERS

const sent = (name: string, description: string, type: string, example: string | number): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type },
  example,
})

/** The headers that receivers check; a contract test compares them with what is sent. */
const SENT: Json = {
  WebhookId: sent('webhook-id', 'The event’s id, the same at each attempt: take it once.', 'string', 'evt_01jk2v7m9q'),
  WebhookTimestamp: sent('webhook-timestamp', 'Seconds since 1970 of this attempt.', 'integer', 1_769_851_800),
  WebhookSignature: sent(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the bytes behind `whsec_`. Two, with a blank between, while a secret is rotated: one that fits is enough.',
    'string',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}
/** Returns the headers of a delivery, by reference. */
export const sentHeaders = (): Json[] => Object.keys(SENT).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** Returns a header that a request may have, by reference. */
export const headerParameter = (name: HeaderParameter): Json => ({ $ref: `#/components/parameters/${name}` })

/** Returns the shared parts that operations refer to. */
export const sharedParts = (): Json => ({
  headers: HEADERS,
  parameters: { ...PARAMETERS, ...SENT },
  requestBodies: {
    Bytes: {
      required: true,
      description: 'The bytes as they are, under the Content-Type and of the size that were announced.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    },
  },
  responses: Object.fromEntries(
    Object.entries(ANSWERS).map(([status, { name, description, headers = [] }]) => [
      name,
      {
        description,
        headers: headerRefs([...EVERYWHERE, ...headers]),
        ...(status === '304' ? {} : { content: { 'application/problem+json': { schema: ProblemOut } } }),
      },
    ]),
  ),
})
