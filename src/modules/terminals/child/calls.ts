import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { FAULTS } from '../contract/fault.ts'
import {
  Certificate,
  Deal,
  Hello,
  OpenPosition,
  Outcome,
  Person,
  State,
  TerminalAddress,
} from '../contract/terminal.ts'

const Logins = Type.Array(State.properties.login, { maxItems: 1_000_000 })

/** What each call of a terminal answers. The child is believed in nothing that does not fit. */
const ANSWERS = {
  hello: Hello,
  logins: Logins,
  archived: Logins,
  people: Type.Array(Person, { maxItems: 1000 }),
  find: Type.Array(Deal, { maxItems: 1000 }),
  move: Outcome,
  open: Outcome,
  findOpened: Type.Union([State.properties.login, Type.Null()]),
  set: Outcome,
  quit: Type.Null(),
  presented: Certificate,
} as const satisfies Record<string, TSchema>
/** The pieces of the calls that answer a list piece by piece. */
const PIECES = {
  states: Type.Array(State, { maxItems: 250 }),
  deals: Type.Array(Deal, { maxItems: 100 }),
  positions: Type.Array(OpenPosition, { maxItems: 250 }),
} as const satisfies Record<string, TSchema>

export type Answered = { [K in keyof typeof ANSWERS]: Static<(typeof ANSWERS)[K]> }
export type Pieced = { [K in keyof typeof PIECES]: Static<(typeof PIECES)[K]>[number] }

export const isAnswered = (name: string): name is keyof Answered => Object.hasOwn(ANSWERS, name)
export const isPieced = (name: string): name is keyof Pieced => Object.hasOwn(PIECES, name)

/** Compiles a check at its first use, since a server without terminals needs none. */
const compiled = <K extends string, S extends Record<K, TSchema>>(schemas: S) => {
  const made = new Map<K, ReturnType<typeof TypeCompiler.Compile>>()
  return (name: K): ReturnType<typeof TypeCompiler.Compile> => {
    const check = made.get(name) ?? TypeCompiler.Compile(schemas[name])
    made.set(name, check)
    return check
  }
}
const checkAnswer = compiled<keyof Answered, typeof ANSWERS>(ANSWERS)
const checkPiece = compiled<keyof Pieced, typeof PIECES>(PIECES)

/** Returns whether a value is an answer of this call. */
export const fitsAnswer = <K extends keyof Answered>(name: K, value: unknown): value is Answered[K] =>
  checkAnswer(name).Check(value)
/** Returns whether a value is a piece of the list of this call. */
export const fitsPiece = <K extends keyof Pieced>(name: K, value: unknown): value is Pieced[K][] =>
  checkPiece(name).Check(value)

const Number_ = Type.Integer({ minimum: 1 })
/**
 * What the server sends to its child, a line of JSON each: a terminal with its password, a call, that the next piece of
 * a list may come, that a list is wanted no more, that a terminal is not spoken to any more.
 */
export const ToChild = Type.Union([
  Type.Object({
    is: Type.Literal('connect'),
    terminal: Number_,
    driver: Type.String(),
    address: TerminalAddress,
  }),
  Type.Object({
    is: Type.Literal('call'),
    call: Number_,
    terminal: Number_,
    name: Type.String(),
    input: Type.Array(Type.Unknown()),
  }),
  Type.Object({ is: Type.Literal('more'), call: Number_ }),
  Type.Object({ is: Type.Literal('enough'), call: Number_ }),
  Type.Object({ is: Type.Literal('forget'), terminal: Number_ }),
])
export type ToChild = Static<typeof ToChild>

/** What the child sends back, a line of JSON each. */
export const FromChild = Type.Union([
  Type.Object({ is: Type.Literal('answer'), call: Number_, value: Type.Unknown() }),
  Type.Object({ is: Type.Literal('piece'), call: Number_, value: Type.Unknown() }),
  Type.Object({ is: Type.Literal('end'), call: Number_ }),
  Type.Object({
    is: Type.Literal('fault'),
    call: Number_,
    code: Type.Union((Object.keys(FAULTS) as (keyof typeof FAULTS)[]).map((code) => Type.Literal(code))),
    detail: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 })),
    wasSent: Type.Boolean(),
  }),
])
export type FromChild = Static<typeof FromChild>
