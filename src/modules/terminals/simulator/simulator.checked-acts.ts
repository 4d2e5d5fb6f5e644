import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ACTS } from './simulator.acts.ts'
import type { Engine } from './simulator.state.ts'

const whole = Type.Integer()
const text = Type.String()
const maybe = { whole: Type.Optional(whole), text: Type.Optional(text), flag: Type.Optional(Type.Boolean()) }
const side = Type.Union([Type.Literal('long'), Type.Literal('short')])

/** Makes an act that takes what came as JSON, and throws a sentence where it does not fit. */
const check =
  <S extends TObject>(shape: S, run: (engine: Engine, given: Static<S>) => unknown) =>
  (engine: Engine, given: unknown): unknown => {
    if (Value.Check(shape, given)) return run(engine, given)
    const first = Value.Errors(shape, given).First()
    throw new Error(`${first?.path ?? ''}: ${first?.message ?? 'does not fit'}`)
  }

const position = Type.Object({ position: whole })
const login = Type.Object({ login: whole })
const ofPosition = Type.Object({ position: whole, lots: text, price: maybe.text })
const booked = Type.Object({ login: whole, amount: text, comment: maybe.text })

/** Every act by its name, for JSON from outside. */
export const CHECKED_ACTS: ReadonlyMap<string, (engine: Engine, given: unknown) => unknown> = new Map(
  Object.entries({
    open: check(
      Type.Object({
        login: whole,
        symbol: text,
        side,
        lots: text,
        price: maybe.text,
        fills: Type.Optional(Type.Array(text, { minItems: 1 })),
        comment: maybe.text,
        reason: maybe.whole,
      }),
      ACTS.open,
    ),
    add: check(ofPosition, ACTS.add),
    partial: check(ofPosition, ACTS.partial),
    close: check(Type.Object({ position: whole, price: maybe.text, reason: maybe.whole }), ACTS.close),
    closeBy: check(Type.Object({ position: whole, other: whole }), ACTS.closeBy),
    reverse: check(ofPosition, ACTS.reverse),
    swap: check(Type.Object({ login: maybe.whole }), ACTS.swap),
    rollover: check(position, ACTS.rollover),
    split: check(Type.Object({ symbol: text, ratio: Type.Integer({ minimum: 1 }) }), ACTS.split),
    stopOut: check(login, ACTS.stopOut),
    manualDeposit: check(booked, ACTS.manualDeposit),
    credit: check(booked, ACTS.credit),
    otherDeal: check(Type.Object({ ...booked.properties, action: whole }), ACTS.otherDeal),
    price: check(Type.Object({ symbol: text, bid: text }), ACTS.price),
    place: check(Type.Object({ login: whole, symbol: text, type: whole, lots: text, price: text }), ACTS.place),
    restart: check(Type.Object({}), ACTS.restart),
    hide: check(Type.Object({ deal: whole, forMs: whole }), ACTS.hide),
    cancelDeal: check(Type.Object({ deal: whole, compensation: maybe.text }), ACTS.cancelDeal),
    deleteDeal: check(Type.Object({ deal: whole, books: maybe.flag }), ACTS.deleteDeal),
    backdateDeal: check(Type.Object({ deal: whole, byMs: whole }), ACTS.backdateDeal),
    editProfit: check(Type.Object({ deal: whole, profit: text, books: maybe.flag }), ACTS.editProfit),
    dealerAddLoose: check(
      Type.Object({ login: whole, symbol: text, side, lots: text, price: text, profit: maybe.text }),
      ACTS.dealerAddLoose,
    ),
    addAccount: check(
      Type.Object({
        group: text,
        name: text,
        leverage: whole,
        main: text,
        investor: text,
        login: maybe.whole,
        rights: maybe.whole,
        email: maybe.text,
        phone: maybe.text,
        country: maybe.text,
        comment: maybe.text,
      }),
      ACTS.addAccount,
    ),
    moveGroup: check(Type.Object({ login: whole, group: text }), ACTS.moveGroup),
    archive: check(login, ACTS.archive),
    restoreUser: check(login, ACTS.restoreUser),
    deleteUser: check(login, ACTS.deleteUser),
    reuseLogin: check(Type.Object({ login: whole, name: text }), ACTS.reuseLogin),
    cleanDemo: check(Type.Object({ before: whole }), ACTS.cleanDemo),
  } satisfies Record<keyof typeof ACTS, unknown>),
)
