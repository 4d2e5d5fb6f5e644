import { type Answer, type CallId, OPERATIONS, type OperationId } from '../operations.ts'

/** A request as the server would see it. */
type Asked = {
  id: OperationId
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  /** The version that the sender had seen, and the key of the act. */
  ifMatch: string | null
  key: string | null
}

type Given<Id extends CallId> = Answer<Id> | Response
/** What the server of a test answers, by operation: always the same, or what a function makes of the request. */
export type Answers = { [Id in CallId]?: Given<Id> | ((asked: Asked) => Given<Id> | Promise<Given<Id>>) } & {
  // What is no JSON, say a file, is answered whole.
  [Id in Exclude<OperationId, CallId>]?: Response | ((asked: Asked) => Response)
}

/** A refusal as the API words it. */
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

/** A page of a list that has no further ones. */
export const buildPage = <T>(...data: T[]): { data: T[]; nextCursor: null } => ({ data, nextCursor: null })

/** A connection that breaks before the answer. */
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

/** Literal addresses come before those with a parameter in the same place. */
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

/** A server for one test: `asked` is what came in, `strange` what it was given no answer for. */
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

  /** From now on other answers. */
  now(answers: Answers): void {
    Object.assign(this.#answers, answers)
  }

  /** What was asked of an operation, in turn. */
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
