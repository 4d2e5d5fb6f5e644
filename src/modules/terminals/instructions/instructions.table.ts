import { type Static, Type } from '@sinclair/typebox'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, id, json, money, sealed, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, internal, ours, personal, personalAs, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'

/** What a terminal is asked for. `balance` and `open` are sent at most once; the others set a value. */
const INSTRUCTION_KINDS = ['balance', 'open', 'leverage', 'group', 'trading', 'sign_in', 'password'] as const
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number]
const INSTRUCTION_STATES = ['queued', 'sending', 'done', 'refused', 'unclear', 'unresolved', 'cancelled'] as const

/** One sending, or one look whether it was done; `times` counts equal ones in a row. */
const Try = Type.Object({
  at: Time,
  what: OneOf(['sent', 'looked']),
  came: Type.String({ description: 'what came of it, as the terminal or the connection said it' }),
  times: Type.Integer(),
})
type Try = Static<typeof Try>

/** What is set or opened. A password is never part of it, only which one. */
const Value = Type.Object({
  group: Type.Optional(Type.String()),
  leverage: Type.Optional(Type.Integer()),
  trading: Type.Optional(Type.Boolean()),
  signIn: Type.Optional(Type.Boolean()),
  password: Type.Optional(OneOf(['main', 'investor'])),
})

const ASKED = stays('what was asked of the terminal')
const PLACE = ours(stays('which terminal and what of the books'))
/** What Brokerbase asked of terminals. RULES “Accounts on a terminal”, “Terminal money”. */
export const terminalInstructions = tenantTable(
  'terminal_instructions',
  'tin',
  {
    connectionId: column(id().notNull(), PLACE, 'api csv sql'),
    kind: column(text({ enum: INSTRUCTION_KINDS }).notNull(), fact, 'api csv sql'),
    state: column(text({ enum: INSTRUCTION_STATES }).notNull().default('queued'), fact, 'api csv sql'),
    traderId: column(id().notNull(), untold, 'api csv sql'),
    accountId: column(id(), PLACE, 'api csv sql'),
    transferId: column(id(), PLACE, 'api csv sql'),
    login: column(text(), personalAs("'(erased)'"), 'api csv sql'),
    reference: column(text().notNull(), ASKED, 'api csv sql'),
    currency: column(currency().notNull(), ASKED, 'api csv sql'),
    /** Positive into the account, negative out of it. */
    amount: column(money(), fact, 'api csv sql'),
    value: column(shownAs(json<Static<typeof Value>>(), Value).notNull(), ASKED, 'api'),
    mainPassword: column(sealed(), ours(personal), 'hidden'),
    investorPassword: column(sealed(), ours(personal), 'hidden'),
    linkHash: column(text(), ours(personal), 'hidden'),
    linkUntil: column(time(), internal, 'hidden'),
    askedBy: column(id(), colleague, 'api csv sql'),
    sentAt: column(time(), fact, 'api csv sql'),
    /** When it is sent or looked up next. */
    nextAt: column(time().notNull(), internal, 'hidden'),
    looks: column(integer().notNull().default(0), internal, 'hidden'),
    tries: column(shownAs(json<Try[]>(), Type.Array(Try)).notNull().default([]), PLACE, 'api'),
    /** Why it was refused or is unclear: a code of the terminal, or of the connection. */
    answer: column(shownAs(text(), Nullable(Type.String())), ASKED, 'api csv sql'),
    number: column(text(), ASKED, 'api csv sql'),
    decidedBy: column(id(), colleague, 'api csv sql'),
    endedAt: column(time(), fact, 'api csv sql'),
    ...stamps,
  },
  {
    entity: 'terminal_instruction',
    isMoney: true,
    currencies: { amount: 'currency' },
    owner: 'traderId',
    person: { of: 'traderId' },
    secret: ['mainPassword', 'investorPassword', 'linkHash'],
  },
)
export type InstructionRow = Row<typeof terminalInstructions>
