import type { Encoding } from '../../embedded.ts'
import { notFound } from '../../problem.ts'

export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A body in several encodings; `immutable` if its address changes with it. */
type Encoded = {
  type: string
  etag: string
  immutable?: boolean
  bodies: { readonly [E in Encoding]?: unknown }
}

/**
 * Answers with the encoding that suits the client best, or with 304 if the client has this version. `findBody` is
 * called for that encoding only; 404 if there is no body in it.
 */
export async function sendEncoded(
  request: Request,
  { type, etag: version, immutable = false, bodies }: Encoded,
  findBody: (encoding: Encoding) => Blob | Promise<Blob> | undefined,
  extra: Record<string, string> = {},
): Promise<Response> {
  const encoding = chooseEncoding(bodies, request.headers.get('accept-encoding') ?? '')
  const etag = `"${version}-${encoding}"`
  const headers = {
    ...COMMON_HEADERS,
    ...extra,
    etag,
    vary: 'accept-encoding',
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const body = await findBody(encoding)
  if (!body) throw notFound()
  const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding }
  return new Response(body, { headers: { ...headers, ...encoded, 'content-type': type } })
}

/** Returns the smallest available form that an Accept-Encoding allows. */
const chooseEncoding = (bodies: { readonly [E in Encoding]?: unknown }, header: string): Encoding => {
  // split instead of matched by a pattern, so that a long header costs only its length
  const accepted = header
    .slice(0, 500)
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
  const takes = (name: string): boolean =>
    accepted.some(([encoding, quality = '']) => encoding === name && !/^q=0(\.0{0,3})?$/.test(quality))
  if (bodies.br && takes('br')) return 'br'
  return bodies.gzip && takes('gzip') ? 'gzip' : 'identity'
}

/** Returns whether an If-None-Match names this version: one of its tags does, weak or strong, or it is `*`. */
export const matches = (header: string | null, etag: string): boolean =>
  header?.split(',').some((candidate) => {
    const tag = candidate.trim()
    return tag === '*' || tag.replace(/^W\//, '') === etag
  }) ?? false
