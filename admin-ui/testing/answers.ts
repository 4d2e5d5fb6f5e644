import { type Answer, type CallId, OPERATIONS, type OperationId } from '../operations.ts'

/** Describes a request as the server would see it. */
type Asked = {
  id: OperationId
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  /** These are the values of If-Match and Idempotency-Key. */
  ifMatch: string | null
  key: string | null
}

type Given<Id extends CallId> = Answer<Id> | Response
/** Maps operations to the answers of a test's server: each is a fixed answer, or a function of the request. */
export type Answers = { [Id in CallId]?: Given<Id> | ((asked: Asked) => Given<Id> | Promise<Given<Id>>) } & {
  // An answer that is not JSON, such as a file, is given as a whole Response.
  [Id in Exclude<OperationId, CallId>]?: Response | ((asked: Asked) => Response)
}

/** Builds a refusal in the API's format. */
export const refusal = (
  status: number,
  code: string,
  detail: string,
  errors: readonly { path: string; message: string }[] = [],
): Response =>
  Response.json(
    { status, code, title: detail, detail, errors: errors.map((error) => ({ code: 'invalid', ...error })) },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

/** Builds the only page of a list. */
export const buildPage = <T>(...data: T[]): { data: T[]; nextCursor: null } => ({ data, nextCursor: null })

/** Answers a list that opens on a status: no row has it, and this one has another. */
export const onlyDecided =
  <T>(row: T) =>
  ({ query }: { query: { limit?: string } }): { data: T[]; nextCursor: null } =>
    query.limit === '1' ? buildPage(row) : buildPage<T>()

/** Behaves as a connection that breaks before the answer comes. */
export const noAnswer = (): never => {
  throw new TypeError('network')
}

type Place = { id: OperationId; method: string; pattern: RegExp; names: string[] }
const PLACES: readonly Place[] = Object.entries(OPERATIONS).map(([id, place]) => {
  const [method = '', path = ''] = place.split(' ')
  return {
    id: id as OperationId,
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)')}$`),
    names: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
  }
})

/** Finds the operation of an address; a literal path comes before one with a parameter in the same place. */
const findPlace = (method: string, path: string): Place | undefined =>
  PLACES.filter((place) => place.method === method && place.pattern.test(path)).sort(
    (a, b) => a.names.length - b.names.length,
  )[0]

const read = (input: unknown, init: RequestInit | undefined): Asked | null => {
  const url = new URL(String(input), 'http://console.test')
  const place = findPlace(init?.method ?? 'GET', url.pathname)
  if (!place) return null
  const [, ...values] = place.pattern.exec(url.pathname) ?? []
  const headers = new Headers(init?.headers)
  return {
    id: place.id,
    params: Object.fromEntries(place.names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])),
    query: Object.fromEntries(url.searchParams),
    body: typeof init?.body === 'string' ? JSON.parse(init.body) : (init?.body ?? null),
    ifMatch: headers.get('if-match'),
    key: headers.get('idempotency-key'),
  }
}

/** Stands in for the server in a test: `asked` lists the requests it answered, `strange` those it could not. */
export class FakeServer {
  readonly asked: Asked[] = []
  readonly strange: string[] = []
  readonly #real = globalThis.fetch
  readonly #answers: Answers

  constructor(answers: Answers) {
    this.#answers = { ...answers }
    const fake = (input: unknown, init?: RequestInit): Promise<Response> => this.#answer(input, init)
    globalThis.fetch = Object.assign(fake, { preconnect: this.#real.preconnect })
  }

  /** Replaces some of the answers from now on. */
  now(answers: Answers): void {
    Object.assign(this.#answers, answers)
  }

  /** Lists the requests for one operation in the order in which they came. */
  of(id: OperationId): Asked[] {
    return this.asked.filter((asked) => asked.id === id)
  }

  close(): void {
    globalThis.fetch = this.#real
  }

  async #answer(input: unknown, init: RequestInit | undefined): Promise<Response> {
    const asked = read(input, init)
    const given: unknown = asked && Reflect.get(this.#answers, asked.id)
    if (!asked || given === undefined) {
      this.strange.push(`${init?.method ?? 'GET'} ${String(input)}`)
      return refusal(404, 'not_found', 'This test gave no answer for it')
    }
    this.asked.push(asked)
    const answer: unknown = typeof given === 'function' ? await given(asked) : given
    return answer instanceof Response ? answer.clone() : Response.json(answer ?? null)
  }
}
