import { buildAnswerRef, hasVersion, headerParameter, successHeaders } from './answers.ts'
import { isObject, type Json } from './schemas.ts'

const asObject = (value: unknown): Json => (isObject(value) ? value : {})
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? [...value] : [])

/** Returns the header that signs a body which comes as bytes. */
function buildSignature(body: unknown): Json[] {
  const { 'x-signature': signature } = asObject(body)
  if (!isObject(signature)) return []
  const { name, description, pattern, example } = signature
  return [{ name, in: 'header', required: true, description, schema: { type: 'string', pattern }, example }]
}

/** Returns how a body is declared: JSON by its schema, raw bytes by their content. */
function buildRequestBody(method: string, body: unknown): Json {
  if (!isObject(body)) return {}
  const { contentMediaType, 'x-holds': holds } = body
  // a post without a required field may come without a body
  const required = method !== 'post' || contentMediaType !== undefined || asList(body.required).length > 0
  // an upload's bytes are of the announced type, whatever that is
  if (contentMediaType !== undefined && holds === undefined) {
    return { requestBody: { $ref: '#/components/requestBodies/Bytes' } }
  }
  return { requestBody: { required, content: { 'application/json': { schema: holds ?? body } } } }
}

const findSchema = (response: unknown): unknown =>
  asObject(asObject(asObject(response).content)['application/json']).schema

/** Returns the scopes that a key needs: those of the route, of the key owner's own data, or none if it is open. */
function listNeededScopes(method: string, { 'x-scope': scope, 'x-open': open, 'x-also': also }: Json): string[] {
  if (scope !== '-') return [String(scope)]
  const own = open === true ? [] : [method === 'get' ? 'auth:read' : 'auth:write']
  return typeof also === 'string' ? [...own, also] : own
}

/** Returns who may call, in a sentence, from what the route declares. */
function describeCallers(method: string, operation: Json): string {
  const { 'x-role': declared } = operation
  const [role = '', ...audience] = String(declared).split('+')
  if (role === 'public') return 'Open to everybody, without credentials.'
  const staff =
    role === 'any'
      ? 'For everybody who is signed in'
      : role === 'platform_admin'
        ? 'For a platform_admin'
        : `For staff from the role ${role} up`
  const scopes = listNeededScopes(method, operation).map((scope) => `\`${scope}\``)
  const own = audience.length === 0 ? '' : `, and for a ${audience.join(' or ')} on their own rows`
  const key = `; an API key needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}`
  return `${staff}${own}${scopes.length === 0 ? '' : key}.`
}

/** Returns when a session has to give its password again, in a sentence. */
function describeFreshness({ 'x-fresh': fresh }: Json): string[] {
  if (fresh === undefined) return []
  const when = fresh === true ? '' : `, ${String(fresh)}`
  return [`A session must have given its password in the last 15 minutes${when}; a key is not asked.`]
}

function buildDescription(method: string, operation: Json): string {
  const fires = asList(operation['x-fires']).map((event) => `\`${event}\``)
  const { 'x-another': another } = operation
  return [
    describeCallers(method, operation),
    ...describeFreshness(operation),
    ...(typeof another === 'string' ? [another] : []),
    ...(fires.length === 0 ? [] : [`May fire ${fires.join(', ')}.`]),
  ].join(' ')
}

/** Returns the statuses of all errors of an operation: its own, and those that follow from its access and its input. */
function listErrors(method: string, operation: Json, body: unknown, signed: boolean): number[] {
  const own = asList(operation['x-errors']).map(Number)
  // any address may be malformed or have a parameter that is not accepted
  const statuses = [...own, 400, 422, 429]
  if (signed) statuses.push(401, 403)
  if (signed && method === 'post') statuses.push(409)
  if (signed && (method === 'patch' || method === 'delete')) statuses.push(412)
  // a body that the operation does not expect is refused too, after its type and size were checked
  if (method !== 'get') statuses.push(413, 415, 503)
  if (body !== undefined) statuses.push(408)
  return [...new Set(statuses)]
}

/** Entries of an operation that are reworded or replaced. */
const OURS = new Set(['requestBody', 'x-errors', 'x-fires', 'x-another', 'x-cookie', 'x-open', 'x-also', 'x-fresh'])

/** Returns one operation as the document shows it, with body, headers, errors by reference, and a description. */
export function finish(method: string, operation: Json, body: unknown): Json {
  const signed = asList(operation.security).length > 0
  const errors = listErrors(method, operation, body, signed)
  const declared = asList(operation.parameters).filter(isObject)
  // a parameter is optional by default, so `required: false` is left out
  const short = declared.map(({ required, ...rest }) => (required === true ? { ...rest, required } : rest))
  const parameters = [...short, ...buildSignature(body)]
  if (signed && method === 'post') parameters.push(headerParameter('IdempotencyKey'))
  if (errors.includes(412)) parameters.push(headerParameter('IfMatch'))
  const responses: Json = {}
  for (const [status, response] of Object.entries(asObject(operation.responses))) {
    const versioned = hasVersion(findSchema(response))
    const headers = [
      ...(versioned ? ['ETag'] : []),
      ...(signed && method === 'post' ? ['Idempotent-Replayed'] : []),
      ...(operation['x-cookie'] === true ? ['Set-Cookie'] : []),
    ]
    responses[status] = { ...asObject(response), headers: successHeaders(headers) }
    if (versioned && method === 'get') {
      parameters.push(headerParameter('IfNoneMatch'))
      errors.push(304)
    }
  }
  for (const status of errors) responses[status] = buildAnswerRef(status)
  // the document as a whole names the credentials of operations that are not public
  const rest = Object.fromEntries(
    Object.entries(operation).filter(([key]) => !OURS.has(key) && !(signed && key === 'security')),
  )
  return {
    ...rest,
    description: buildDescription(method, operation),
    parameters,
    ...buildRequestBody(method, body),
    responses,
  }
}
