import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { isBadText } from '../../../platform/http/body/json-body.ts'
import { validationProblem } from '../../../platform/http/body/validation.ts'
import { type FieldError, Problem } from '../../../platform/problem.ts'
import { Nullable } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'

/** An answer names at most this many refused rows. */
const NAMED = 1000
/** If a whole call is refused, the answer names as many fields as for any other body. */
const NAMED_IN_REFUSAL = 20

/** The fields that describe a refused row. */
export const refusalFields = {
  index: Type.Integer({ description: 'from 0' }),
  path: Type.String(),
  code: Type.String(),
  message: Type.String(),
}
export const RefusedName = Nullable(Type.String({ description: 'null where it cannot be read' }))
export const refusedList = <T extends TSchema>(row: T) =>
  Type.Array(row, { description: 'rows that were not taken; at most 1,000' })

type Refusal = FieldError & { index: number; name: string | null }

/** A row of a feed that can be taken, with its index in the call. */
export type Placed<T> = { index: number; row: T }

/** The rows of a call: those to take, and those that were refused, at once or while writing. */
export type SortedRows<T> = {
  taken: Placed<T>[]
  /** The first refusals. */
  refused: Refusal[]
  refusedTotal: number
  /** The names of refused rows, as far as they can be read. */
  refusedNames: Set<string>
  /** Whether the name of some refused row cannot be read. */
  hasNameless: boolean
  refuse: (index: number, name: string | null, fault: FieldError) => void
  /** Throws the 422 if no row of the call was taken. */
  mustHaveTaken: () => void
}

/** Returns the path of a text in a row that no column can store unchanged; an empty path is the row itself. */
function findBadText(row: unknown): string | undefined {
  if (typeof row === 'string') return isBadText(row) ? '' : undefined
  if (typeof row !== 'object' || row === null) return undefined
  return Object.entries(row).find(([key, value]) => isBadText(key) || findBadText(value) !== undefined)?.[0]
}

/** Returns the first fault of a row; the path is empty if the row is no object. */
function describeFault(schema: TSchema, row: unknown): FieldError | undefined {
  const [first] = validationProblem('body', schema, row).errors
  return first && typeof row === 'object' && row !== null && !Array.isArray(row)
    ? first
    : first && { ...first, path: '' }
}

/**
 * Makes the check of a feed's rows. A row is refused with its first fault if its schema or `findFault` refuses it or
 * its name came before; the other rows are taken. `list` is the field of the rows, `key` the field that names a row.
 * RULES “Feeds”.
 */
export function createRowSorter<T extends TSchema>(
  { list, key, row: schema, name: nameSchema }: { list: string; key: string; row: T; name: TSchema },
  findFault: (row: Static<T>) => FieldError | undefined,
) {
  const check = TypeCompiler.Compile(schema)
  const checkName = TypeCompiler.Compile(nameSchema)
  const readName = (row: unknown): string | null => {
    const name: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : undefined
    return typeof name === 'string' && checkName.Check(name) && !isBadText(name) ? name : null
  }
  return (rows: readonly unknown[]): SortedRows<Static<T>> => {
    const seen = new Set<string>()
    const sorted: SortedRows<Static<T>> = {
      taken: [],
      refused: [],
      refusedTotal: 0,
      refusedNames: new Set(),
      hasNameless: false,
      refuse: (index, name, fault) => {
        sorted.refusedTotal += 1
        if (name === null) sorted.hasNameless = true
        else sorted.refusedNames.add(name)
        if (sorted.refused.length < NAMED) sorted.refused.push({ index, name, ...fault })
      },
      mustHaveTaken: () => {
        if (rows.length === 0 || sorted.refusedTotal < rows.length) return
        const errors = sorted.refused.slice(0, NAMED_IN_REFUSAL).map(({ index, path, code, message }) => ({
          path: path === '' ? `${list}.${index}` : `${list}.${index}.${path}`,
          code,
          message,
        }))
        throw new Problem(422, 'validation', say('problems.error.validation'), errors)
      },
    }
    for (const [index, row] of rows.entries()) {
      const name = readName(row)
      const bad = findBadText(row)
      const fault = (): FieldError | undefined => {
        if (bad !== undefined) return { path: bad, code: 'bad_text', message: say('problems.field.bad_text') }
        if (!check.Check(row)) return describeFault(schema, row)
        if (name !== null && seen.has(name))
          return { path: key, code: 'repeated', message: say('problems.field.repeated') }
        const found = findFault(row)
        if (found === undefined) sorted.taken.push({ index, row })
        return found
      }
      const found = fault()
      if (found) sorted.refuse(index, name, found)
      if (name !== null) seen.add(name)
    }
    return sorted
  }
}
