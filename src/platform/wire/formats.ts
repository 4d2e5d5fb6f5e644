import { domainToASCII } from 'node:url'
import { FormatRegistry } from '@sinclair/typebox'
import { holdsCardNumber, holdsPrintedCard } from '../card-numbers.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const DATE_LENGTH = 10
/**
 * The parts of an address before and after its `@`. The groups of a pattern cannot match the same characters in two
 * ways, so it takes linear time. Letters of any script are allowed (RFC 6531), and so are two dots in a row and a dot
 * at the end: the RFC forbids them, but addresses in Japan have them.
 */
const MAILBOX = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]*$/u
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/i
const LONGEST_MAILBOX = 64
const LONGEST_EMAIL = 254
/** No time is longer, since it has at most nine digits after the second and an offset. */
const LONGEST = 40

/** Returns whether a text is a day that the calendar has, such as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (text.length !== DATE_LENGTH) return false
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return false
  // JavaScript makes 2 March of 30 February, which is not what the caller meant
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Returns whether a text is a time of RFC 3339 on a day that the calendar has, such as `2026-02-28T09:00:00Z`. */
export const isTime = (text: string): boolean =>
  text.length <= LONGEST &&
  text[DATE_LENGTH] === 'T' &&
  TIME.test(text.slice(DATE_LENGTH + 1)) &&
  isDate(text.slice(0, DATE_LENGTH))

const ASCII = /^[\x21-\x7e]*$/
/** The conversion to ASCII would drop invisible characters and decode others, so that other text becomes a domain. */
const DOMAIN_LETTERS = /^[\p{L}\p{M}\p{N}.。-]+$/u

/** Returns a domain as mail servers write it: `münchen.example` is `xn--mnchen-3ya.example`; empty for none. */
const toAsciiDomain = (domain: string): string =>
  ASCII.test(domain) ? domain : DOMAIN_LETTERS.test(domain) ? domainToASCII(domain) : ''

/**
 * Returns whether a text is an address of RFC 5321 or 6531, without quotes and with a domain of two parts or more:
 * `anna.bench+2@example.com`, `jürgen@münchen.example`. Lengths are those of its bytes.
 */
export function isEmail(text: string): boolean {
  if (text.length > LONGEST_EMAIL) return false
  const at = text.lastIndexOf('@')
  const [mailbox, domain] = [text.slice(0, at), toAsciiDomain(text.slice(at + 1))]
  const [before, after] = [Buffer.byteLength(mailbox), domain.length]
  if (at < 1 || before > LONGEST_MAILBOX || before + 1 + after > LONGEST_EMAIL) return false
  return MAILBOX.test(mailbox) && DOMAIN.test(domain)
}

/**
 * Returns an address as it is stored and compared: case, surrounding space and how a keyboard writes an accent do not
 * count, and a domain has one form.
 */
export function foldEmail(email: string): string {
  const text = email.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@')
  return at < 0 || ASCII.test(text)
    ? text
    : text.slice(0, at + 1) + (toAsciiDomain(text.slice(at + 1)) || text.slice(at + 1))
}

/** Whether a text is an address, or a name with one: `Broker <desk@broker.example>`. */
export function isSender(text: string): boolean {
  const [, address = text] = /^[^<>]*<([^<>]*)>$/.exec(text) ?? []
  // the one name without a dot that this machine's own relay may take
  return isEmail(address.replace(/@localhost$/, '@localhost.localdomain'))
}

/** Text of people without control characters, which take six characters each in JSON and are invisible on a page. */
export const FREE_TEXT = 'free-text'
const CONTROL = /[^\P{Cc}\t\n\r]/u
const CONTROLS = /[^\P{Cc}\t\n\r]/gu

/** Returns the place of the first control character but tab, line feed and carriage return; -1 if there is none. */
export const findControl = (text: string): number => text.search(CONTROL)

/** Returns a text with a blank in place of each such control character. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, ' ')

/**
 * A name or label that people write. It has a visible character, and none that changes the direction of others: with
 * U+202E a list would show `exe.fdp` as `pdf.exe`. Marks that scripts need (joiners, direction marks) are accepted.
 */
export const FREE_LINE = 'free-line'
const TURNING = /[\u202a-\u202e\u2066-\u2069]/
const ALL_TURNING = new RegExp(TURNING, 'g')
/** A visible character: not a blank (U+2800 is that of Braille), a control character, a filler or an invisible mark. */
const SHOWN = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns the place of the first character that changes the direction of others; -1 if there is none. */
export const findTurning = (text: string): number => text.search(TURNING)
/** Returns a text with a blank in place of each character that changes the direction of others. */
export const withoutTurning = (text: string): string => text.replace(ALL_TURNING, ' ')
/** Returns whether a text has a visible character. */
export const showsSomething = (text: string): boolean => SHOWN.test(text)

/** The formats of a note about a record and of its reference, without whole card numbers. RULES “Card numbers”. */
export const NOTE = 'note'
export const REFERENCE = 'reference'
/** The OpenAPI document does not show these formats; only a refusal says what they require. */
export const UNSAID: ReadonlySet<unknown> = new Set([FREE_TEXT, FREE_LINE, NOTE, REFERENCE])

/** The format of `from` and `to` of a list: a time, or a day, which means its start in UTC. */
export const DATE_OR_TIME = 'date-or-time'

// the library builds a parser for each address that it checks, which takes an eighth of the time of a create
FormatRegistry.Set('email', isEmail)
// the library accepts other texts too: 30 February, a day in place of a time, `Sat Jan 03 2026 …`
FormatRegistry.Set('date', isDate)
FormatRegistry.Set('date-time', isTime)
const isText = (text: string): boolean => !CONTROL.test(text)
const isLine = (text: string): boolean => isText(text) && !TURNING.test(text) && SHOWN.test(text)
FormatRegistry.Set(FREE_TEXT, isText)
FormatRegistry.Set(FREE_LINE, isLine)
FormatRegistry.Set(NOTE, (text) => isText(text) && !holdsCardNumber(text))
FormatRegistry.Set(REFERENCE, (text) => isLine(text) && !holdsPrintedCard(text))
FormatRegistry.Set(DATE_OR_TIME, (text) => isTime(text) || isDate(text))
