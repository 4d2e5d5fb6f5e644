import { Type } from '@sinclair/typebox'

/**
 * The title of each status of a refusal, and what a program that receives it should do. The pages about problems in the
 * API documentation are made from this file.
 */
export const STATUSES = {
  400: { title: 'problems.title.400', todo: 'Mend the program that sent it: repeating changes nothing.' },
  401: {
    title: 'problems.title.401',
    todo: 'Check the key (`X-API-Key`), or sign in again. Do not repeat it with the same credential.',
  },
  403: {
    title: 'problems.title.403',
    todo: 'The caller is known and may not do this. Use a key with the scope or a role that may, or ask somebody else.',
  },
  404: {
    title: 'problems.title.404',
    todo: 'Check the id and the path. What belongs to another firm, or to another client, answers the same.',
  },
  405: { title: 'problems.title.405', todo: 'The header `Allow` names the methods of this path.' },
  408: { title: 'problems.title.408', todo: 'Send it again over a better line, or in smaller parts.' },
  409: {
    title: 'problems.title.409',
    todo: 'Read the row again: its state, or another row, does not allow this. Repeating it unchanged answers the same.',
  },
  410: {
    title: 'problems.title.410',
    todo: 'Start anew: what was asked for was used or is over, and does not come back.',
  },
  412: {
    title: 'problems.title.412',
    todo: 'Read the row, look at what changed, and send it with the new `ETag`.',
  },
  413: { title: 'problems.title.413', todo: 'Send less at a time.' },
  415: { title: 'problems.title.415', todo: 'Send what the operation takes, with its `Content-Type`.' },
  421: { title: 'problems.title.421', todo: 'Call the server by a name that it is configured for.' },
  422: {
    title: 'problems.title.422',
    todo: '`errors` names each field with a code of its own: mend those, then send it again.',
  },
  429: {
    title: 'problems.title.429',
    todo: 'Wait as many seconds as `Retry-After` says, then send the same again.',
  },
  500: {
    title: 'problems.title.500',
    todo: 'Ours to mend. Tell us the `requestId`; repeat a POST only with its `Idempotency-Key`.',
  },
  503: {
    title: 'problems.title.503',
    todo: 'Nothing was changed. Wait as many seconds as `Retry-After` says, then send the same again.',
  },
  507: { title: 'problems.title.507', todo: 'Make room on the disk of the server; nothing was changed.' },
} as const
export type Status = keyof typeof STATUSES

type Entry = { readonly status: Status; readonly means: string; readonly todo?: string }
const define = <C extends string>(codes: Readonly<Record<C, Entry>>): Readonly<Record<C, Entry>> => codes

/**
 * The codes that no module owns. `Problem` takes only these and the codes of `defineErrors`, so that every code that is
 * answered is in the catalogue.
 */
export const COMMON = define({
  malformed_body: { status: 400, means: 'The body is not valid JSON, or not valid UTF-8.' },
  malformed_url: {
    status: 400,
    means: 'The address is not valid percent-encoded UTF-8, or its path can be read in two ways.',
  },
  unauthorized: { status: 401, means: 'There is no credential, or it is wrong, revoked or over.' },
  two_sessions: {
    status: 401,
    means: 'The browser sent two session cookies, and nobody knows which one is its own.',
    todo: 'Remove the cookies of the site and sign in again.',
  },
  forbidden: {
    status: 403,
    means: 'The role or the scopes of the caller do not reach; `detail` says which of them is missing.',
  },
  second_factor_required: {
    status: 403,
    means: 'The firm demands two-step sign-in of this role.',
    todo: 'Turn a second factor on, then go on.',
  },
  impersonating: {
    status: 403,
    means: 'Who views as somebody else reads only, and not their papers, keys, sessions or mail.',
    todo: 'End the view, or leave `X-Crm-View` out: then you are yourself.',
  },
  cross_site: {
    status: 403,
    means:
      'A browser that is signed in by cookie sent this from a page of another origin, or without saying from where.',
    todo: 'Call with an API key, or send `Origin`.',
  },
  not_found: { status: 404, means: 'There is nothing here, or it is not yours.' },
  method_not_allowed: { status: 405, means: 'The path is there, and not with this method.' },
  too_slow: { status: 408, means: 'The body took too long to arrive.' },
  duplicate: { status: 409, means: 'Another row has this value already; `errors` names the field.' },
  wrong_state: { status: 409, means: 'The row’s state does not allow this any more; `errors` names the current one.' },
  idempotency_in_progress: {
    status: 409,
    means: 'The first request with this `Idempotency-Key` is still running.',
    todo: 'Wait a second and send the same again: then its answer is there.',
  },
  version_conflict: { status: 412, means: 'Somebody changed the row after it was read (`If-Match`).' },
  too_large: { status: 413, means: 'The body is larger, or holds more values, than this operation takes.' },
  unsupported_media_type: { status: 415, means: 'The body is no `application/json`.' },
  unknown_host: { status: 421, means: 'This server does not answer to that host name.' },
  validation: { status: 422, means: 'Fields, parameters or headers are not valid, or are not taken.' },
  card_number: {
    status: 422,
    means: 'A note, or a reference in groups, holds the whole number of a payment card; `errors` names the field.',
    todo: 'Send the scheme and the last four digits, such as `Visa 4242`.',
  },
  rate_limited: { status: 429, means: 'Too many requests in this second, minute or hour.' },
  too_many_bytes: { status: 429, means: 'Too many bytes of this sender are on their way in at once.' },
  busy: { status: 503, means: 'Other long work is running, or too much is on its way in.' },
  replica_away: { status: 503, means: 'The replica that answers wait for is out of reach; nothing was changed.' },
  replica_behind: {
    status: 503,
    means: 'The change was made, but the replica that answers wait for does not have it yet.',
    todo: 'Ask whether it is there before you repeat it, or repeat it with the same `Idempotency-Key`.',
  },
  starting: { status: 503, means: 'The server looks who writes to the place of its replica; reads go on.' },
  place_unknown: {
    status: 503,
    means: 'The place of the replica does not answer, and a standby may have taken over; reads go on.',
    todo: 'Nothing was changed. Its operator has to reach the place, or knows that no standby took over.',
  },
  place_taken: {
    status: 503,
    means: 'Another server writes to the place of the replica, and this one writes nothing; reads go on.',
    todo: 'Nothing was changed. Call the other server, or have its operator stop one of the two.',
  },
  replaced: {
    status: 503,
    means: 'Another server went on with the data of this one, which answers nothing any more.',
    todo: 'Nothing was changed. Call the address in the header `X-Crm-Primary`.',
  },
  standby: {
    status: 503,
    means: 'This server is a standby: it shows a copy of another server’s data and changes nothing.',
    todo: 'Nothing was changed. Call the address in the header `X-Crm-Primary`.',
  },
  standby_stale: { status: 503, means: 'The standby has no copy that is new enough to be read.' },
  standby_upgrade: {
    status: 503,
    means: 'The standby has another version than the server that writes; its operator has to upgrade it first.',
  },
  unavailable: { status: 503, means: 'The change could not be saved; nothing was changed.' },
  internal: { status: 500, means: 'Something went wrong here; it is in the log under this request id.' },
})
export type CommonCode = keyof typeof COMMON

/** The codes of `errors` inside a problem, each with what is wrong with the field. */
export const FIELD_CODES = {
  above_you: 'is above the caller’s own role',
  amount_malformed: 'is no decimal number such as 12.50',
  amount_range: 'is beyond what can be counted',
  amount_scale: 'has more decimals than its currency',
  bad_text: 'holds a null byte or half a character',
  bad_url: 'is no address that may be called',
  beyond_you: 'is more than the caller has',
  blocked_address: 'leads to a private or special network',
  card_number: 'holds the whole number of a payment card',
  columns: 'the file has other columns',
  common: 'is a password that is guessed first',
  connect_timeout: 'the receiver did not take the connection in time',
  connection_failed: 'the receiver could not be reached',
  csv: 'is no CSV that can be read',
  currency: 'is of another currency',
  currency_unknown: 'is no known currency',
  cursor: 'is no cursor of this list with these filters',
  cut_off: 'the file ends in the middle',
  depth: 'is nested too deep',
  dns_failed: 'the name could not be resolved',
  duplicate: 'is taken by another row',
  format: 'has another form than is asked for',
  fx_rate_missing: 'has no exchange rate',
  fx_rate_stale: 'has an exchange rate that is too old',
  has_access: 'is not changed while the client signs in',
  idempotency_mismatch: 'the Idempotency-Key was used for another request',
  in_use: 'is in use and stays as it is',
  invalid: 'is not what the schema asks for; `message` says what that is',
  json: 'is no JSON',
  jump: 'is too far above the last number',
  malformed: 'is not what its source publishes',
  needs_manager: 'is changed by a manager only',
  needs_owner: 'is changed by an owner only',
  no_aliases: 'the file is without the one that holds the aliases',
  not_allowed: 'is not allowed here',
  not_of_this_list: 'is another list than was named',
  not_positive: 'is not greater than zero',
  not_smaller: 'is not smaller than what it is part of',
  note_required: 'is needed as the reason of this decision',
  one_of: 'exactly one of several fields is wanted',
  order: 'stands in another order than is asked for',
  overlap: 'overlaps with another one',
  own_name: 'is a password made of the holder’s address or the firm’s name',
  past: 'lies in the past',
  self_referral: 'is the same person, who brings nobody but others',
  range: 'is smaller or larger than is allowed',
  rate_malformed: 'is no exchange rate',
  rate_range: 'is an exchange rate beyond what can be counted',
  read_only: 'is not changed by this operation',
  repeated: 'is given more than once',
  required: 'is missing',
  same: 'must differ from another field',
  shrunken: 'holds far less than what it would replace',
  staff_only: 'is for staff',
  timeout: 'the receiver did not answer in time',
  tls_failed: 'the receiver’s certificate is not valid',
  too_large: 'is too large',
  too_long: 'is too long',
  too_many: 'there are too many',
  too_many_digits: 'has more digits than a number keeps: send a string',
  too_small: 'is too small',
  unchanged: 'is what it was, and another one is needed',
  unknown: 'names something that is not there, or not yours',
  unknown_column: 'is no column of the file',
  unknown_field: 'is no field of this operation',
  unknown_reference: 'refers to something that is not there',
  unsupported_media_type: 'is no content type that is taken',
  used: 'belongs to something else already',
  utf8: 'is no UTF-8',
  version_conflict: 'is not the current version',
  wrong: 'is not right',
  wrong_content: 'the bytes are not of the announced type',
  wrong_size: 'is not of the announced size',
  wrong_state: 'the state of the row does not allow it',
  wrong_type: 'is not of the announced type',
} as const
export type FieldCode = keyof typeof FIELD_CODES
const isFieldCode = (value: string): value is FieldCode => Object.hasOwn(FIELD_CODES, value)

const fieldCodes = Object.keys(FIELD_CODES).filter(isFieldCode)
/** The schema of a field code, which a child process sends. */
export const FieldCodeWord = Type.Union(fieldCodes.map((code) => Type.Literal(code)))

export const isStatus = (value: number): value is Status => Object.hasOwn(STATUSES, value)
export const isCommonCode = (value: string): value is CommonCode => Object.hasOwn(COMMON, value)
