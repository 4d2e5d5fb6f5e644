import { Table, Text } from '@mantine/core'
import { fieldName } from '../../lib/text/field-name.ts'
import { formatDateTime, groupDigits } from '../../lib/text/format.ts'
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

/** Returns the name of an id, such as that of a colleague; undefined for other texts. */
type FindName = (text: string) => string | null | undefined

const show = (key: string, row: Json, findName: FindName): string => {
  const value = row?.[key]
  if (value === undefined || value === null) return '—'
  if (isMoment(key, value)) return formatDateTime(new Date(value).toISOString())
  if (typeof value !== 'string') return JSON.stringify(value, null, 1)
  return findName(value) ?? (DECIMAL.test(value) ? groupDigits(value) + findCurrency(key, row) : value)
}

/**
 * The audit adds the currency to an amount that changed. The currency did not change, so the other version has it, too.
 */
const withCurrencies = (row: Json, other: Json): Json =>
  row && { ...Object.fromEntries(Object.entries(other ?? {}).filter(([key]) => /currency$/i.test(key))), ...row }

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type JsonDiffProps = { before: Json; after: Json; findName?: FindName; nameField?: (key: string) => string }

/**
 * Shows two versions of a record field by field, changed fields first. A version that is null (before creation, after
 * deletion) has no column.
 */
export const JsonDiff = ({ before: was, after: is, findName = () => null, nameField = fieldName }: JsonDiffProps) => {
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
                  {show(key, before, findName)}
                </Table.Td>
              )}
              {after && (
                <Table.Td className="diff-value" data-side="after">
                  {show(key, after, findName)}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
