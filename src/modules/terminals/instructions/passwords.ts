import { randomInt } from 'node:crypto'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { ownName } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { pickLanguage } from '../../../words/language.ts'
import { PASSWORD_LINK_HOURS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { queueMail } from '../../base/mails/mails.service.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { type InstructionRow, terminalInstructions } from './instructions.table.ts'

/** Terminals take no longer ones. */
export const PASSWORD_LENGTH = 16
/** The four kinds of characters: none that people mix up, and none that a terminal’s protocol reads as its own. */
const KINDS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#$*-.:?@_~'] as const
const ALL = KINDS.join('')

/** Makes a password; each that has all four kinds is as likely as any other. */
function makePassword(): string {
  for (;;) {
    const letters = Array.from({ length: PASSWORD_LENGTH }, () => ALL.charAt(randomInt(ALL.length)))
    if (KINDS.every((kind) => letters.some((letter) => kind.includes(letter)))) return letters.join('')
  }
}

type Which = 'main' | 'investor'
const COLUMNS = { main: 'mainPassword', investor: 'investorPassword' } as const
type Secrets = Pick<InstructionRow, 'mainPassword' | 'investorPassword' | 'linkHash' | 'linkUntil'>
/** The columns of an instruction whose passwords are forgotten. */
export const FORGOTTEN: Secrets = { mainPassword: null, investorPassword: null, linkHash: null, linkUntil: null }

const sealContext = (tenantId: string, id: string, which: Which): string =>
  `terminal-password:${tenantId}:${id}:${which}`

/** Makes passwords and seals them. One that was made for an earlier sending stays: it may have been taken. */
export function sealPasswords(ctx: Ctx, row: InstructionRow, wanted: readonly Which[]): Partial<Secrets> {
  const made: Partial<Secrets> = {}
  for (const which of wanted)
    if (row[COLUMNS[which]] === null)
      made[COLUMNS[which]] = ctx.secrets.seal(makePassword(), sealContext(ctx.tenantId, row.id, which))
  return made
}

/** Returns a password of an instruction; null if it has none. */
export function openPassword(ctx: Ctx, row: InstructionRow, which: Which): string | null {
  const sealed = row[COLUMNS[which]]
  return sealed === null ? null : ctx.secrets.openText(sealed, sealContext(ctx.tenantId, row.id, which))
}

/** Returns a password that is to be sent. */
export function needPassword(ctx: Ctx, row: InstructionRow, which: Which): string {
  const password = openPassword(ctx, row, which)
  if (password === null) throw new Error(`the instruction ${row.id} has no ${which} password`)
  return password
}

/** Forgets the passwords of an instruction. */
export const forgetPasswords = (tx: Tx, { id }: InstructionRow): InstructionRow =>
  tx.update(terminalInstructions, id, FORGOTTEN)

/** Forgets passwords of an account that are replaced by those of an instruction. */
function forgetReplaced(tx: Tx, row: InstructionRow): void {
  const before = tx.list(terminalInstructions, { accountId: row.accountId, state: 'done', kind: ['open', 'password'] })
  for (const old of before) {
    if (old.id === row.id || old.linkHash === null) continue
    const left = {
      mainPassword: row.mainPassword === null ? old.mainPassword : null,
      investorPassword: row.investorPassword === null ? old.investorPassword : null,
    }
    const isEmpty = left.mainPassword === null && left.investorPassword === null
    tx.update(terminalInstructions, old.id, isEmpty ? FORGOTTEN : left)
  }
}

/**
 * Mails the client the link that shows the passwords of an instruction once; without an address they are forgotten, and
 * new ones are set later.
 */
export function mailPasswords(tx: Tx, ctx: Ctx, row: InstructionRow): void {
  forgetReplaced(tx, row)
  const trader = tx.unowned.find(traders, { id: row.traderId })
  if (!trader?.email) {
    forgetPasswords(tx, row)
    return
  }
  const token = randomToken(32)
  const linkUntil = tx.now + PASSWORD_LINK_HOURS * HOUR
  tx.update(terminalInstructions, row.id, { linkHash: sha256Hex(token), linkUntil })
  const facts = {
    firmName: ownName(tx.unowned),
    firstName: trader.firstName ?? '',
    login: row.login ?? '',
    url: `${ctx.config.publicUrl}/admin/account-passwords?token=${token}`,
  }
  const what = row.kind === 'open' ? 'opened' : 'password'
  queueMail(tx, ctx, {
    to: trader.email,
    language: pickLanguage(trader.language),
    letter: () => ({
      subject: say(`terminals.mail.subject.${what}`, facts),
      text: say(`terminals.mail.${what}`, facts),
    }),
    recipientRole: null,
    expiresAt: linkUntil,
    link: { traderId: trader.id },
  })
}

/** Returns whether a mailed link still shows passwords. Its end is not checked here. */
export const isPasswordLink = (db: Reader, token: string): boolean =>
  db.find(terminalInstructions, { linkHash: sha256Hex(token) }) !== undefined
