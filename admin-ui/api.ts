import { apiFetch } from './lib/http.ts'

/** What a list answers. `nextCursor` is null on the last page; `total` comes only with `count=true`. */
export type Page<T> = { data: T[]; nextCursor: string | null; total?: number }

export type Query = Record<string, string | number | boolean | null | undefined>

/** A path with its query; empty values are left out. */
export const withQuery = (path: string, query: Query = {}): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

const read = async <T>(response: Promise<Response>): Promise<T> => {
  const body = await (await response).text()
  // A 204 has no body; its callers expect nothing.
  return JSON.parse(body || 'null')
}

const withBody = (method: string, body: unknown, version?: number): RequestInit => ({
  method,
  headers: {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** GET; throws ApiError. */
export const get = <T>(path: string, query?: Query): Promise<T> => read(apiFetch(withQuery(path, query)))

/** POST with a fresh Idempotency-Key; `version` as for patch; throws ApiError. */
export const post = <T>(path: string, body?: unknown, version?: number): Promise<T> =>
  read(apiFetch(path, withBody('POST', body, version)))

/** PATCH; `version` is that of the row that was shown, and a newer row answers 412. */
export const patch = <T>(path: string, body: unknown, version?: number): Promise<T> =>
  read(apiFetch(path, withBody('PATCH', body, version)))

/** PUT; `version` as for patch. */
export const put = <T>(path: string, body: unknown, version?: number): Promise<T> =>
  read(apiFetch(path, withBody('PUT', body, version)))

/** DELETE; `version` as for patch. */
export const del = <T = void>(path: string, version?: number): Promise<T> =>
  read(apiFetch(path, withBody('DELETE', undefined, version)))
