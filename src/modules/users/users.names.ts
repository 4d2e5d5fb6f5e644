import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { toIso } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { say } from '../../words/say.ts'
import { userErrors } from './users.errors.ts'
import { actorName, mailOwners } from './users.notices.ts'
import { type UserRow, userNames, users } from './users.table.ts'

/** Letters and digits that people take for a Latin letter, as they are written. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ a: 'аАαΑ', b: 'вВβΒ', c: 'сСϲϹ', d: 'ԁԀđĐ', e: 'еЕεΕ', f: 'ƒ', g: 'ɡ', h: 'һҺнНΗ', i: 'ıіι', j: 'јЈ' },
  ...{ k: 'кКκΚ', l: 'I1łŁІΙӀӏ', m: 'мМΜ', n: 'пηΝ', o: '0оОοΟσøØ', p: 'рРρΡ', q: 'ԛԚ', r: 'г', s: 'ѕЅ' },
  ...{ t: 'тТτΤ', u: 'υ', v: 'ѵѴν', w: 'ԝԜω', x: 'хХχΧ', y: 'уУγΥүҮ', z: 'ζΖ' },
}
const LATIN = new Map(Object.entries(ALIKE).flatMap(([letter, like]) => [...like].map((sign) => [sign, letter])))

/** What is left of a name for the eye: no accents, blanks and signs, look-alikes as one letter. */
function lookOf(name: string): string {
  const letters = name.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '')
  const seen = [...letters].map((sign) => LATIN.get(sign) ?? sign.toLowerCase()).join('')
  return seen.replaceAll('rn', 'm').replaceAll('vv', 'w') || name
}

/** Some letters look like another in one case only: a name is compared as written, in small letters and in capitals. */
const looksOf = (name: string): string[] => [name, name.toLowerCase(), name.toUpperCase()].map(lookOf)

/**
 * Refuses a name that a colleague of the firm has, or once had, or that looks like it: what somebody did is told by
 * name. A name stays with whoever acted under it, also when they are gone. RULES “Staff accounts”.
 */
export function requireFreeName(tx: Tx, name: string, ofUser: string | null): void {
  const wanted = new Set(looksOf(name))
  const everybody = tx.unowned.list(users, {}, { withDeleted: true })
  // who is deleted and never signed in has done nothing
  const known = everybody.filter(({ deletedAt, lastLoginAt }) => deletedAt === null || lastLoginAt !== null)
  const names = [
    ...known.map(({ id, displayName }) => ({ id, displayName })),
    ...tx.unowned.list(userNames, {}).map((row) => ({ id: row.userId, displayName: row.name })),
  ]
  const isTaken = names.some(
    ({ id, displayName }) => id !== ofUser && looksOf(displayName).some((look) => wanted.has(look)),
  )
  if (!isTaken) return
  throw userErrors.name_taken({
    errors: [{ path: 'displayName', code: 'duplicate', message: say('users.field.name_taken') }],
  })
}

/** Before somebody gets another name: it has to be free, the old one is kept with its time, and owners are mailed. */
export function noteRename(tx: Tx, ctx: Ctx, user: UserRow, name: string): void {
  if (name === user.displayName) return
  requireFreeName(tx, name, user.id)
  if (user.status !== 'invited') tx.insert(userNames, { userId: user.id, name: user.displayName, until: tx.now })
  const by = actorName(tx, ctx)
  const facts = { before: user.displayName, name, email: user.email, isKnown: String(by !== ''), by }
  mailOwners(tx, ctx, { subject: say('users.mail.renamed', facts), text: say('users.mail.renamed_text', facts) })
}

type FormerName = { userId: string; name: string; until: number }

/** The names that the firm's colleagues had before, each with until when. */
export function formerNames(db: Reader): (userId: string) => { name: string; until: string }[] {
  const rows = Map.groupBy(db.list(userNames, {}, { orderBy: 'until' }), ({ userId }) => userId)
  return (userId) => (rows.get(userId) ?? []).map(({ name, until }) => ({ name, until: toIso(until) }))
}

const NAMES = statement(
  sql`SELECT ${listed({ id: users.id, name: users.displayName })} FROM ${users}
  WHERE ${users.tenantId} = ?1 AND ${users.id} IN (SELECT value FROM json_each(?2))`,
)
const FORMER = statement(
  sql`SELECT ${listed({ userId: userNames.userId, name: userNames.name, until: userNames.until })} FROM ${userNames}
  WHERE ${userNames.tenantId} = ?1 AND ${userNames.userId} IN (SELECT value FROM json_each(?2))
  ORDER BY ${userNames.until}`,
)

/**
 * What colleagues were called when they did something, also those who are gone: two queries for any number of acts.
 * What is about now, such as to whom something is assigned, shows the name of now.
 */
export function namesThen(
  db: Reader,
  ids: Iterable<string | null>,
): (userId: string | null, at: number) => string | null {
  const asked = JSON.stringify([...new Set(ids)].filter((id) => id !== null))
  const names = new Map(db.query<{ id: string; name: string }>(NAMES, [asked]).map(({ id, name }) => [id, name]))
  const former = Map.groupBy(db.query<FormerName>(FORMER, [asked]), ({ userId }) => userId)
  return (userId, at) =>
    userId === null ? null : (former.get(userId)?.find(({ until }) => until >= at)?.name ?? names.get(userId) ?? null)
}
