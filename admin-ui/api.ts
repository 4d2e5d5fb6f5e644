import { apiFetch } from './lib/api/http.ts'
import { saveAnswer } from './lib/api/save-file.ts'
import {
  type Answer,
  type CallId,
  type FileId,
  type Input,
  OPERATIONS,
  type OperationId,
  type ReadId,
} from './operations.ts'

export type { Answer, Body, QueryOf, Row } from './operations.ts'

/** Describes the answer of a list. `nextCursor` is null on the last page; `total` comes only with `count=true`. */
export type Page<T> = { data: T[]; nextCursor: string | null; total?: number }

/** Holds a query as it is in the address of a page; the server validates its values. */
export type Query = Record<string, string | number | boolean | null | undefined>

type Parts = { params?: Record<string, string>; query?: Query; body?: unknown; ifMatch?: number | undefined }
/** Describes the arguments after the id of an operation; they are optional if no part is required. */
type Rest<I> = object extends I ? [input?: I] : [input: I]

/** Adds a query to a path; empty values are left out. */
const withQuery = (path: string, query: Query = {}): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

const resolveOperation = (id: OperationId, { params = {}, query }: Parts): { method: string; address: string } => {
  const [method = '', path = ''] = OPERATIONS[id].split(' ')
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { method, address: withQuery(filled, query) }
}

/** Returns the address of an operation that a link or a stream reads, such as a CSV file. */
export function buildUrl<Id extends ReadId>(id: Id, ...rest: Rest<Input<Id>>): string
export function buildUrl(id: OperationId, input: Parts = {}): string {
  return resolveOperation(id, input).address
}

/** Replaces the invisible line marks of text that was pasted from pages and slides, because the server refuses them. */
const pasted = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/[\v\f]/g, ' ') : value

/**
 * Calls an operation and returns the answer that its route declares; throws ApiError. A POST has an Idempotency-Key.
 * `ifMatch` is the version of the row that was shown; if the row is newer, the server answers 412.
 */
export function call<Id extends CallId>(id: Id, ...rest: Rest<Input<Id>>): Promise<Answer<Id>>
export async function call(id: OperationId, input: Parts = {}): Promise<unknown> {
  const answer = await send(id, input)
  // A 204 has no body, and its callers expect null.
  return JSON.parse((await answer.text()) || 'null')
}

/** Calls an operation that answers with a file, and saves the file; a refusal is thrown as ApiError and not saved. */
export function callForFile<Id extends FileId>(id: Id, ...rest: Rest<Input<Id>>): Promise<void>
export async function callForFile(id: OperationId, input: Parts = {}): Promise<void> {
  await saveAnswer(await send(id, input))
}

function send(id: OperationId, input: Parts): Promise<Response> {
  const { method, address } = resolveOperation(id, input)
  const { body, ifMatch } = input
  if (method === 'GET') return apiFetch(address)
  return apiFetch(address, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body, pasted) }),
  })
}
