import { TerminalFault } from '../contract/fault.ts'
import type { Said } from './terminal5.codes.ts'

/** An object of an answer. Its numbers are texts, exactly as they were written. */
export type Row = Readonly<Record<string, unknown>>
export type Answer = Said & { answer: unknown; top: Row }

const MOST_DEPTH = 16
const MOST_LETTERS = 300
const MOST_CODE = 99_999

const refuse = (reason: string, detail: Readonly<Record<string, string>> = {}): TerminalFault =>
  new TerminalFault('not_an_answer', { reason, ...detail }, true)

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Returns the position of the quote that ends a string which begins before `from`. */
function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  throw refuse('json')
}

const isColonNext = (text: string, from: number): boolean => {
  let at = from
  while (/\s/.test(text.charAt(at))) at += 1
  return text.charCodeAt(at) === COLON
}

/**
 * Refuses a text that is nested too deeply for a parser, and one in which a name of the outermost object is there
 * twice: of two codes or two answers nobody knows which one holds.
 */
function inspect(text: string): void {
  const names = new Set<string>()
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = findStringEnd(text, at + 1)
      if (depth === 1 && isColonNext(text, end + 1)) {
        const name = text.slice(at + 1, end).toLowerCase()
        if (names.has(name)) throw refuse('twice')
        names.add(name)
      }
      at = end
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > MOST_DEPTH) throw refuse('deep')
  }
}

/** Keeps the text of a number, so that it never passes through a float. */
const keepNumber = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** Returns whether a value is an object and no list. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the body of an answer. Throws `not_an_answer` for whatever is none. */
export function readAnswer(body: Uint8Array): Answer {
  let top: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    inspect(text)
    top = JSON.parse(text, keepNumber)
  } catch (error) {
    throw error instanceof TerminalFault ? error : refuse('json')
  }
  if (!isRow(top)) throw refuse('json')
  const retcode = typeof top.retcode === 'string' ? top.retcode : ''
  const [, digits = '', text = ''] = /^([0-9]{1,5})(?: (.*))?$/s.exec(retcode) ?? []
  if (digits === '' || Number(digits) > MOST_CODE) throw refuse('retcode')
  return { code: Number(digits), text: cleanText(text, 100), answer: top.answer, top }
}

/** Returns the rows of an answer: of a list, or the one row that stands there without its list. */
export function readRows(answer: unknown): Row[] {
  if (answer === undefined || answer === null || answer === '') return []
  const rows = Array.isArray(answer) ? answer : [answer]
  if (!rows.every(isRow)) throw refuse('rows')
  return rows
}

/** Returns the one row of an answer. */
export function readRow(answer: unknown): Row {
  const [row, second] = readRows(answer)
  if (row === undefined || second !== undefined) throw refuse('rows')
  return row
}

/** Cleans a text of what cannot be printed and cuts it to a length, never within a letter. */
export function cleanText(text: string, most: number = MOST_LETTERS): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed()
  return clean.length <= most ? clean : clean.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

const find = (row: Row, name: string): string | undefined => {
  const value = row[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw refuse('field', { field: name })
  return value
}

/** Returns a text; empty if it is missing. */
export const readText = (row: Row, name: string, most?: number): string => cleanText(find(row, name) ?? '', most)

const findMatching = (row: Row, name: string, pattern: RegExp): string | undefined => {
  const text = find(row, name)
  if (text === undefined || text === '') return undefined
  if (!pattern.test(text)) throw refuse('field', { field: name })
  return text
}

const isPresent = (value: string | undefined, name: string): string => {
  if (value === undefined) throw refuse('missing', { field: name })
  return value
}

/** Returns a decimal number as it is written; undefined if it is missing. */
export const findDecimal = (row: Row, name: string): string | undefined =>
  findMatching(row, name, /^-?[0-9]{1,24}(\.[0-9]{1,12})?$/)

/** Returns a decimal number as it is written. */
export const readDecimal = (row: Row, name: string): string => isPresent(findDecimal(row, name), name)

/** Returns the number of a login, deal, order or position; undefined if it is missing. */
export const findNumber = (row: Row, name: string): string | undefined =>
  findMatching(row, name, /^[0-9]{1,20}$/)?.replace(/^0+(?=[0-9])/, '')

/** Returns the number of a login, deal, order or position. */
export const readNumber = (row: Row, name: string): string => isPresent(findNumber(row, name), name)

/** Returns the number of an order or position; null where it is missing or zero, which is none. */
export const readLink = (row: Row, name: string): string | null => {
  const number = findNumber(row, name)
  return number === undefined || number === '0' ? null : number
}

/** Returns a small whole number, such as a kind or a time; undefined if it is missing. */
export const findInteger = (row: Row, name: string): number | undefined => {
  const text = findMatching(row, name, /^[0-9]{1,15}$/)
  return text === undefined ? undefined : Number(text)
}

/** Returns a small whole number between limits. */
export function readInteger(row: Row, name: string, most: number): number {
  const value = findInteger(row, name)
  if (value === undefined) throw refuse('missing', { field: name })
  if (value > most) throw refuse('field', { field: name })
  return value
}

/** Returns the value of a name that terminals write in different cases. */
export const findAnyCase = (row: Row, name: string): unknown =>
  Object.entries(row).find(([key]) => key.toLowerCase() === name)?.[1]
