import type { Language } from '../words/language.ts'
import { languageNow, say } from '../words/say.ts'
import { type CommonCode, type FieldCode, isCommonCode, STATUSES, type Status } from './problem-codes.ts'

/** The error of one field: `path` is a dotted path into the body, or `query.x`, `header.x`, `path.x`. */
export type FieldError = { path: string; code: FieldCode; message: string }

declare const listed: unique symbol
/** A code that `defineErrors` has put into the catalogue. */
type ListedCode = string & { readonly [listed]: true }
type ProblemCode = CommonCode | ListedCode

/** A problem of RFC 9457. Any code below a route may throw it, and the one `onError` answers with it. */
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

/** Returns the wire form of a problem. The line of the log has the same `requestId`. */
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

/** A module's code in the catalogue. Two modules may have the same code if its status is the same too. */
type Listed = { area: string; status: Status; details: string[]; todo?: string }
const LISTED = new Map<string, Listed>()

/** Returns the codes of all modules that are loaded, in the order of their names. */
export const listedCodes = (): [string, Listed][] => [...LISTED].toSorted(([a], [b]) => (a < b ? -1 : 1))

function list(code: string, area: string, [status, detail, todo]: Definition): void {
  const entry = LISTED.get(code) ?? { area, status, details: [], ...(todo === undefined ? {} : { todo }) }
  if (isCommonCode(code) || entry.status !== status) throw new Error(`The code ${code} has two meanings.`)
  entry.details.push(detail)
  LISTED.set(code, entry)
}

const isListed = (code: string): code is ListedCode => LISTED.has(code)

/** Returns whether a text from outside, such as from a child process, is a code of the catalogue. */
export const isProblemCode = (code: string): code is ProblemCode => isCommonCode(code) || isListed(code)

/**
 * Declares the errors of one module: `defineErrors('deposits', () => ({ not_pending: [409, say('…')] }))` makes
 * `errors.not_pending()`, whose detail is in the language of the caller. The codes are added to the catalogue; a third
 * text says what to do if it differs from that of the status. With an empty `area` the code has no prefix. Throws if a
 * code has two statuses.
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

/** Makes the 404 of an absent row, which is the same, byte for byte, for a row of another firm. */
export const notFound = () => new Problem(404, 'not_found', say('problems.error.not_found'))

/** Makes the 500 of an unexpected error. */
export const internal = () => new Problem(500, 'internal', say('problems.error.internal'))

/** Makes a 422 that names one field. */
export const invalid = (path: string, code: FieldCode, message: string) =>
  new Problem(422, 'validation', say('problems.error.validation'), [{ path, code, message }])

/** Makes the 422 of fields that have the whole number of a card. RULES “Card numbers”. */
export const cardNumber = (errors: readonly FieldError[]) =>
  new Problem(422, 'card_number', say('problems.error.card_number'), errors)

/** Makes the 409 of a state that does not allow the change; it names the current state. */
export const wrongState = (entity: string, status: string) =>
  new Problem(409, 'wrong_state', say('problems.error.wrong_state', { entity, status: status.replaceAll('_', ' ') }), [
    { path: 'status', code: 'wrong_state', message: say('problems.field.state_now', { status }) },
  ])

export const versionConflict = (current: number) =>
  new Problem(412, 'version_conflict', say('problems.error.version_conflict'), [
    { path: 'header.if-match', code: 'version_conflict', message: say('problems.field.version_now', { current }) },
  ])
