import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { userErrors } from './users.errors.ts'
import { actorName, mailOwners } from './users.notices.ts'
import { type UserRow, userNames, users } from './users.table.ts'

/** Signs that look like a Latin letter. */
const ALIKE: Readonly<Record<string, string>> = {
  a: 'аАαΑɑɐ',
  b: 'вВβΒʙɓƀ',
  c: 'сСϲϹ',
  d: 'ԁԀđĐɗɖ',
  e: 'еЕεΕɛƐəƏɘ',
  f: 'ƒ',
  g: 'ɡɢɣ',
  h: 'һҺнНΗʜɦ',
  i: 'ıіιɪɩ',
  j: 'јЈ',
  k: 'кКκΚĸƙƘ',
  l: 'I1łŁІΙӀӏʟƖ',
  m: 'мМΜ',
  n: 'пηΝɴŋŊɲ',
  o: '0оОοΟσøØɔƆ',
  p: 'рРρΡƥ',
  q: 'ԛԚ',
  r: 'гʀɾ',
  s: 'ѕЅʃ',
  t: 'тТτΤƭŧ',
  u: 'υʊɯ',
  v: 'ѵѴνʋ',
  w: 'ԝԜω',
  x: 'хХχΧ',
  y: 'уУγΥүҮʏƴ',
  z: 'ζΖʐ',
}
const LATIN = new Map(Object.entries(ALIKE).flatMap(([letter, like]) => [...like].map((sign) => [sign, letter])))

/**
 * Accents and vowel points, which people leave out. Without vowels of Indian scripts or marks of kana a name would be
 * another one.
 */
const POINTS = /(?=\p{M})(?!\u3099|\u309a)[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Cyrillic}]/gu
const NOT_SEEN = /\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}\p{N}]|[\u02b0-\u02ff]/gu

/** Returns a name as the eye sees it: without accents, blanks, signs and invisible characters, look-alikes as one. */
function toSkeleton(name: string): string {
  const letters = name.normalize('NFKD').replace(POINTS, '').replace(NOT_SEEN, '')
  const seen = [...letters].map((sign) => LATIN.get(sign) ?? sign.toLowerCase()).join('')
  return seen.replaceAll('rn', 'm').replaceAll('vv', 'w') || name
}

/**
 * Scripts that people write names in, grouped as one name may mix them. Other scripts are refused for their
 * look-alikes.
 */
const SCRIPTS = [
  'Latin,Greek,Cyrillic',
  'Han,Hiragana,Katakana,Hangul',
  ...'Arabic Hebrew Armenian Georgian Ethiopic Thaana Thai Lao Khmer Myanmar Tibetan Mongolian Sinhala'.split(' '),
  ...'Devanagari Bengali Gujarati Gurmukhi Oriya Tamil Telugu Kannada Malayalam'.split(' '),
].map((names) => {
  const classes = names.split(',').map((name) => `\\p{sc=${name}}`)
  return new RegExp(`^[${classes.join('')}\\p{sc=Common}]*$`, 'u')
})
/** Clicks, phonetic and medieval letters, digits other than 0 to 9, and symbols: names do not have them. */
const STRANGE = /[\u01c0-\u01c3\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]|(?![0-9])\p{N}|\p{S}/u

/** Returns whether a name is written in letters of scripts that people mix. */
function isPlain(name: string): boolean {
  const plain = name.normalize('NFKC')
  const letters = plain.replace(/\P{L}/gu, '')
  return !STRANGE.test(plain) && SCRIPTS.some((script) => script.test(letters))
}

/** The audit uses these names for acts without a person. */
const RESERVED = ['System', 'Brokerbase']

/** Compares a name as written, in small letters and in capitals, since some letters look alike in one case only. */
const listSkeletons = (name: string): string[] => [name, name.toLowerCase(), name.toUpperCase()].map(toSkeleton)

/**
 * Refuses a name that a colleague of the firm has or had, or that looks like such a name, since names say who did what.
 * A name stays taken after its holder leaves. RULES “Staff accounts”.
 */
export function requireFreeName(tx: Tx, name: string, ofUser: string | null): void {
  if (!isPlain(name)) throw invalid('displayName', 'format', say('users.field.name_letters'))
  const wanted = new Set(listSkeletons(name))
  const everybody = tx.unowned.list(users, {}, { withDeleted: true })
  // a colleague who was deleted without ever signing in has done nothing
  const known = everybody.filter(({ deletedAt, lastLoginAt }) => deletedAt === null || lastLoginAt !== null)
  const names = [
    ...known.map(({ id, displayName }) => ({ id, displayName })),
    ...tx.unowned.list(userNames, {}).map((row) => ({ id: row.userId, displayName: row.name })),
    ...RESERVED.map((displayName) => ({ id: null, displayName })),
  ]
  const isTaken = names.some(
    ({ id, displayName }) =>
      (id === null || id !== ofUser) && listSkeletons(displayName).some((look) => wanted.has(look)),
  )
  if (!isTaken) return
  throw userErrors.name_taken({
    errors: [{ path: 'displayName', code: 'duplicate', message: say('users.field.name_taken') }],
  })
}

/** A person may be renamed this often, since each name stays taken and owners are mailed. */
const RENAMES_A_DAY = 3

/** Prepares a rename: the name must be free, the former one is stored with its time, and owners are mailed. */
export function noteRename(tx: Tx, ctx: Ctx, user: UserRow, name: string): void {
  if (name === user.displayName) return
  requireFreeName(tx, name, user.id)
  const lately = tx.list(userNames, { userId: user.id }).filter(({ until }) => until > tx.now - DAY)
  if (lately.length >= RENAMES_A_DAY) throw userErrors.renamed_often()
  if (user.status !== 'invited') tx.insert(userNames, { userId: user.id, name: user.displayName, until: tx.now })
  const by = actorName(tx, ctx)
  const facts = { before: user.displayName, name, email: user.email, isKnown: String(by !== ''), by }
  mailOwners(tx, ctx, () => ({
    subject: say('users.mail.renamed', facts),
    text: say('users.mail.renamed_text', facts),
  }))
}

type FormerName = { userId: string; name: string; until: number }

/** At most this many former names of a colleague are shown, the newest ones. */
const MOST_SHOWN = 20

/** Returns a reader of colleagues' former names, each with its last moment. */
export function formerNames(db: Reader): (userId: string) => { name: string; until: string }[] {
  const rows = Map.groupBy(db.list(userNames, {}, { orderBy: 'until' }), ({ userId }) => userId)
  return (userId) =>
    (rows.get(userId) ?? []).slice(-MOST_SHOWN).map(({ name, until }) => ({ name, until: toIso(until) }))
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
 * Returns the names that colleagues had when they acted, also of those who left, in two queries for any number of acts.
 * Present facts, such as who a client is assigned to, show present names.
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
