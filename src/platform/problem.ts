import type { Language } from '../words/language.ts'
import { languageNow, say } from '../words/say.ts'
import { type CommonCode, type FieldCode, isCommonCode, STATUSES, type Status } from './problem-codes.ts'

/** One field that is wrong: `path` is a dotted path into the body, or `query.x`, `header.x`, `path.x`. */
export type FieldError = { path: string; code: FieldCode; message: string }

declare const listed: unique symbol
/** A code that `defineErrors` has put into the catalogue. */
type ListedCode = string & { readonly [listed]: true }
type ProblemCode = CommonCode | ListedCode

/** RFC 9457 problem, thrown anywhere below a route and turned into the answer by the one `onError`. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: string
  constructor(
    readonly status: Status,
    code: ProblemCode,
    detail: string,
    readonly errors: readonly FieldError[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.code = code
  }
}

/** The wire form of a problem. `requestId` finds the log line. */
export function problemBody(problem: Problem, requestId: string) {
  return {
    type: `urn:brokerbase:problem:${problem.code}`,
    title: say(STATUSES[problem.status].title),
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    errors: problem.errors,
    requestId,
  }
}

type Definition = readonly [status: Status, detail: string, todo?: string]
type Facts = { detail?: string; errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> }
type Factories<D extends Record<string, Definition>> = { readonly [K in keyof D]: (facts?: Facts) => Problem }

/** What the catalogue says of a module's code. Two modules may answer one code of one status, each in its words. */
type Listed = { area: string; status: Status; details: string[]; todo?: string }
const LISTED = new Map<string, Listed>()

/** The codes of all modules that are loaded, in the order of their names. */
export const listedCodes = (): [string, Listed][] => [...LISTED].toSorted(([a], [b]) => (a < b ? -1 : 1))

function list(code: string, area: string, [status, detail, todo]: Definition): void {
  const entry = LISTED.get(code) ?? { area, status, details: [], ...(todo === undefined ? {} : { todo }) }
  if (isCommonCode(code) || entry.status !== status) throw new Error(`The code ${code} has two meanings.`)
  entry.details.push(detail)
  LISTED.set(code, entry)
}

const isListed = (code: string): code is ListedCode => LISTED.has(code)

/** Whether a text from outside, say from a child process, is a code of the catalogue. */
export const isProblemCode = (code: string): code is ProblemCode => isCommonCode(code) || isListed(code)

/**
 * The errors of one module: `defineErrors('deposits', () => ({ not_pending: [409, say('…')] }))` makes
 * `errors.not_pending()`, which says it in the language of whoever is refused. They join the catalogue that is served
 * beside the explorer, with a third text where what to do differs from what the status says. Without an area the code
 * stands alone.
 */
export function defineErrors<const D extends Record<string, Definition>>(area: string, define: () => D): Factories<D> {
  const english = define()
  const said = new Map<Language, Record<string, Definition>>([['en', english]])
  const detailNow = (name: string): string => {
    const language = languageNow()
    const definitions = said.get(language) ?? define()
    said.set(language, definitions)
    return definitions[name]?.[1] ?? ''
  }
  const factories: Record<string, (facts?: Facts) => Problem> = {}
  for (const [name, definition] of Object.entries(english)) {
    const code = area === '' ? name : `${area}.${name}`
    list(code, area, definition)
    factories[name] = (facts) => {
      if (!isListed(code)) throw new Error(`The code ${code} is not in the catalogue.`)
      return new Problem(definition[0], code, facts?.detail ?? detailNow(name), facts?.errors, facts?.headers)
    }
  }
  return factories as Factories<D>
}

/** The 404 of an absent row and, byte for byte, of another tenant's. */
export const notFound = () => new Problem(404, 'not_found', say('problems.error.not_found'))

/** The 500 of what nobody foresaw. */
export const internal = () => new Problem(500, 'internal', say('problems.error.internal'))

/** A 422 that names one field. */
export const invalid = (path: string, code: FieldCode, message: string) =>
  new Problem(422, 'validation', say('problems.error.validation'), [{ path, code, message }])

/** The 422 of what would keep the whole number of a card; names the fields. RULES “Card numbers”. */
export const cardNumber = (errors: readonly FieldError[]) =>
  new Problem(422, 'card_number', say('problems.error.card_number'), errors)

/** A 409 on a state that does not allow the change; names the current state. */
export const wrongState = (entity: string, status: string) =>
  new Problem(409, 'wrong_state', say('problems.error.wrong_state', { entity, status: status.replaceAll('_', ' ') }), [
    { path: 'status', code: 'wrong_state', message: say('problems.field.state_now', { status }) },
  ])

export const versionConflict = (current: number) =>
  new Problem(412, 'version_conflict', say('problems.error.version_conflict'), [
    { path: 'header.if-match', code: 'version_conflict', message: say('problems.field.version_now', { current }) },
  ])
