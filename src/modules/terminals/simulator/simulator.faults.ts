import { type Static, Type } from '@sinclair/typebox'

const is = <T extends string>(word: T) => Type.Literal(word)
const oneOf = <T extends string>(...words: readonly T[]) => Type.Union(words.map((word) => Type.Literal(word)))
const effect = <T extends string, F extends Parameters<typeof Type.Object>[0]>(word: T, fields: F) =>
  Type.Object({ do: is(word), ...fields }, { additionalProperties: false })

const executed = Type.Boolean()
const ms = Type.Integer({ minimum: 0 })

/** What goes wrong with a call. `executed` says whether the platform does what was asked all the same. */
const Effect = Type.Union([
  effect('slow', { when: oneOf('before', 'after'), ms }),
  effect('silent', { executed }),
  effect('cut', { when: oneOf('before', 'after', 'headers', 'body'), bytes: Type.Optional(Type.Integer()) }),
  effect('status', { status: Type.Integer(), executed, html: Type.Optional(Type.Boolean()) }),
  effect('empty', { executed }),
  effect('truncate', {}),
  effect('length', { by: Type.Integer() }),
  effect('huge', { bytes: Type.Integer({ minimum: 0 }) }),
  effect('twice', {}),
  effect('endless', { part: oneOf('headers', 'body') }),
  effect('garbage', { text: Type.String(), executed }),
  effect('retcode', { code: Type.Integer(), executed }),
  effect('forget', {}),
  effect('proof', {}),
  // `none`: an empty list; `fewer`: the last row is missing; `double`: the first is there twice; `total`: one more
  effect('rows', { change: oneOf('none', 'fewer', 'double', 'half', 'total') }),
  effect('comment', { append: Type.Optional(Type.String()), replace: Type.Optional(Type.String()) }),
  // deals of this call are shown later
  effect('late', { ms }),
])
export type Effect = Static<typeof Effect>

export const Fault = Type.Object(
  {
    /** The path, such as `/api/trade/balance`, or its beginning with a `*` at its end. */
    path: Type.Optional(Type.String()),
    /** The parameter `login` of the call. */
    login: Type.Optional(Type.String()),
    /** At which matching call it begins, from 1. */
    nth: Type.Optional(Type.Integer({ minimum: 1 })),
    /** How many calls it befalls; without it, one. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    effect: Effect,
  },
  { additionalProperties: false },
)
export type Fault = Static<typeof Fault>

const matches = (fault: Fault, path: string, login: string): boolean => {
  if (fault.login !== undefined && fault.login !== login) return false
  if (fault.path === undefined) return true
  return fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : path === fault.path
}

/** The faults that wait for their calls. */
export type Faults = {
  add(fault: Fault): void
  clear(): void
  /** Returns the effect for a call, and counts it. */
  take(path: string, login: string): Effect | null
  list(): Fault[]
}

/** Keeps faults; the first that matches a call befalls it. */
export function makeFaults(): Faults {
  let waiting: { fault: Fault; seen: number; left: number }[] = []
  return {
    add: (fault) => void waiting.push({ fault, seen: 0, left: fault.times ?? 1 }),
    clear: () => {
      waiting = []
    },
    take: (path, login) => {
      for (const entry of waiting) {
        if (!matches(entry.fault, path, login)) continue
        entry.seen += 1
        if (entry.seen < (entry.fault.nth ?? 1)) continue
        entry.left -= 1
        if (entry.left <= 0) waiting = waiting.filter((other) => other !== entry)
        return entry.fault.effect
      }
      return null
    },
    list: () => waiting.map(({ fault, left }) => ({ ...fault, times: left })),
  }
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** Conditions that hold for every call until they are changed. */
export const Conditions = Type.Object(
  {
    /** Numbers without quotation marks. */
    unquoted: Type.Boolean(),
    /** `Total` in place of `total`. */
    capitalTotal: Type.Boolean(),
    /** An old build: no `VolumeExt`, `Fee` and `Market…`. */
    old: Type.Boolean(),
    /** Fields that nobody knows. */
    extra: Type.Boolean(),
    /** Which type of a body is taken: any, only JSON, or only that of forms. */
    contentType: oneOf('any', 'json', 'form'),
    /** New connections are cut at once, or are never answered; so many are taken before. */
    connections: nullable(Type.Object({ take: Type.Integer(), how: oneOf('reset', 'hang') })),
    /** All calls are refused with this status until it is null. */
    maintenance: nullable(Type.Integer()),
    /** What a plug-in appends to comments. */
    commentSuffix: Type.String(),
    /** How long a deal is not shown after its answer. */
    commitDelayMs: ms,
  },
  { additionalProperties: false },
)
export type Conditions = Static<typeof Conditions>

/** Returns the conditions of a healthy server. */
export const makeConditions = (): Conditions => ({
  unquoted: false,
  capitalTotal: false,
  old: false,
  extra: false,
  contentType: 'any',
  connections: null,
  maintenance: null,
  commentSuffix: '',
  commitDelayMs: 0,
})
