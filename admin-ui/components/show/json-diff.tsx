import { Table, Text } from '@mantine/core'
import { fieldName } from '../../lib/text/field-name.ts'
import { formatCount, formatDateTime, groupDigits, groupInSentence } from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'

type Json = Record<string, unknown> | null

/** These fields are money; rates, lots and prices are not. */
const MONEY = /^(amount|available|held|balance|profit|swap|commission|fee)$|Amount$/
/** A transfer has a currency for each side; every other record has one. */
const findCurrency = (key: string, row: Json): string => {
  const own = key.endsWith('Amount') ? row?.[key.replace(/Amount$/, 'Currency')] : null
  const currency = own ?? row?.currency
  return MONEY.test(key) && typeof currency === 'string' ? ` ${currency}` : ''
}
const DECIMAL = /^-?\d+\.\d+$/
/** The audit keeps no secrets, and the ids of sessions say nothing to people. */
const isTold = (key: string, value: unknown): boolean => value !== '(secret)' && !/sessionId$/i.test(key)
// The audit log stores moments in milliseconds.
const isMoment = (key: string, value: unknown): value is number =>
  typeof value === 'number' && (key === 'at' || key.endsWith('At'))

type Words = {
  /** Returns the name of an id, such as that of a colleague, or of a stored word; nothing for other texts. */
  findName: (text: string, key: string) => string | null | undefined
  nameField: (key: string) => string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
/** No count and no amount of milliseconds of the books is as large as a moment since 2001. */
const FIRST_MOMENT = 1_000_000_000_000

/** Writes a value in words. A value that has parts is written part by part, a line each. */
const show = (key: string, row: Json, words: Words): string => {
  const value = row?.[key]
  if (isEmpty(value)) return '—'
  if (typeof value === 'boolean') return say(value ? 'parts.value.true' : 'parts.value.false')
  if (typeof value === 'number')
    return isMoment(key, value) || value >= FIRST_MOMENT
      ? formatDateTime(new Date(value).toISOString())
      : formatCount(value)
  if (Array.isArray(value)) return showList(key, value, words)
  if (isRecord(value))
    return Object.keys(value)
      .filter((part) => isTold(part, value[part]))
      .map((part) => say('parts.value.part', { whole: words.nameField(part), part: show(part, value, words) }))
      .join('\n')
  const text = String(value)
  return (
    words.findName(text, key) ??
    (DECIMAL.test(text) ? groupDigits(text) + findCurrency(key, row) : groupInSentence(text))
  )
}

/** Writes plain values beside one another, and those with parts below one another. */
const showList = (key: string, values: readonly unknown[], words: Words): string =>
  values.map((value) => show(key, { [key]: value }, words)).join(values.some(isRecord) ? '\n\n' : ', ')

/**
 * The audit adds the currency to an amount that changed. The currency did not change, so the other version has it, too.
 */
const withCurrencies = (row: Json, other: Json): Json =>
  row && { ...Object.fromEntries(Object.entries(other ?? {}).filter(([key]) => /currency$/i.test(key))), ...row }

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type JsonDiffProps = { before: Json; after: Json } & Partial<Words>

/**
 * Shows two versions of a record field by field, changed fields first. A version that is null (before creation, after
 * deletion) has no column.
 */
export const JsonDiff = ({ before: was, after: is, findName = () => null, nameField = fieldName }: JsonDiffProps) => {
  const words = { findName, nameField }
  const [before, after] = [withCurrencies(was, is), withCurrencies(is, was)]
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((key) =>
    isTold(key, after?.[key] ?? before?.[key]),
  )
  const isChanged = (key: string): boolean => !same(before?.[key], after?.[key])
  const sorted = [...keys.filter(isChanged), ...keys.filter((key) => !isChanged(key))]
  if (sorted.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {say('parts.diff.empty')}
      </Text>
    )
  }
  return (
    <Table.ScrollContainer minWidth={before && after ? 320 : 280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className="diff" verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('parts.field')}</Table.Th>
            {before && <Table.Th>{say('parts.before')}</Table.Th>}
            {after && <Table.Th>{say('parts.after')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((key) => (
            <Table.Tr key={key} data-changed={isChanged(key) || undefined}>
              <Table.Td className="diff-key">{nameField(key)}</Table.Td>
              {before && (
                <Table.Td className="diff-value" data-side="before">
                  {show(key, before, words)}
                </Table.Td>
              )}
              {after && (
                <Table.Td className="diff-value" data-side="after">
                  {show(key, after, words)}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
