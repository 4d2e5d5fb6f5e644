import { expect, test } from 'bun:test'
import { renderPage, screen, within } from '../../testing/render.tsx'
import { JsonBlock } from './json-block.tsx'
import { JsonDiff } from './json-diff.tsx'

type Json = Parameters<typeof JsonDiff>[0]['before']
const renderRows = async (before: Json, after: Json): Promise<string[][]> => {
  await renderPage(<JsonDiff before={before} after={after} />)
  return (await screen.findAllByRole('row')).map((row) =>
    [...within(row).queryAllByRole('columnheader'), ...within(row).queryAllByRole('cell')].map(
      ({ textContent }) => textContent ?? '',
    ),
  )
}

test('changed fields come first with their values before and after, and a missing value is a dash', async () => {
  expect(
    await renderRows({ city: 'Porto', riskLevel: 'low' }, { city: 'Porto', riskLevel: 'high', tags: ['vip'] }),
  ).toEqual([
    ['Field', 'Before', 'After'],
    ['Risk', 'low', 'high'],
    ['Tags', '—', 'vip'],
    ['City', 'Porto', 'Porto'],
  ])
})

test('a record that was created or deleted has no column for the missing version', async () => {
  expect(await renderRows(null, { status: 'active' })).toEqual([
    ['Field', 'After'],
    ['Status', 'active'],
  ])
})

test('an amount is shown in groups of digits with all its decimals, and a moment as a date', async () => {
  const [, amount, at, count] = await renderRows(null, {
    settledAmount: '4491.00',
    settledAt: Date.UTC(2026, 0, 5, 10),
    count: 3,
  })
  expect(amount).toEqual(['Settled amount', '4,491.00'])
  expect(at?.[1]).toStartWith('Jan 5, 2026')
  expect(count).toEqual(['Count', '3'])
})

test('an amount is shown with the currency of its record, and a rate without one', async () => {
  const row = { fromAmount: '1500.00', fromCurrency: 'EUR', toAmount: '1620.00', toCurrency: 'USD', rate: '1.08' }
  const rows = await renderRows({ amount: '10.00', currency: 'EUR' }, { amount: '2500.00', currency: 'EUR', ...row })
  expect(rows).toContainEqual(['Amount', '10.00 EUR', '2,500.00 EUR'])
  expect(rows.map(([, , after]) => after)).toEqual(expect.arrayContaining(['1,500.00 EUR', '1,620.00 USD', '1.08']))
})

test('the currency beside a changed amount is not shown as a change', async () => {
  const [, amount, currency] = await renderRows({ settledAmount: null }, { settledAmount: '5.00', currency: 'EUR' })
  expect([amount, currency]).toEqual([
    ['Settled amount', '—', '5.00 EUR'],
    ['Currency', 'EUR', 'EUR'],
  ])
})

test('ids are replaced by names, and neither secrets nor sessions are shown', async () => {
  await renderPage(
    <JsonDiff
      before={null}
      after={{ settledBy: 'usr_1', tokenHash: '(secret)', ownSessionId: 'ses_1' }}
      findName={(id) => (id === 'usr_1' ? 'Ingrid' : null)}
    />,
  )
  const rows = (await screen.findAllByRole('row')).map(({ textContent }) => textContent)
  expect(rows).toEqual(['FieldAfter', 'Settled byIngrid'])
})

test('parts of a value are written in words, a line each, and lists without brackets', async () => {
  const rows = await renderRows(null, {
    address: { street: '1 New Street', city: null },
    segments: ['retail', 'vip'],
    legalHold: true,
    size: 5897,
    pauses: [[Date.UTC(2026, 0, 5, 10), Date.UTC(2026, 0, 6, 10)]],
    votes: [{ note: 'Seen' }, { note: 'Called' }],
    metadata: {},
  })
  const [, address, segments, hold, size, pauses, votes, metadata] = rows.map(([, after]) => after)
  expect(address).toBe('Street: 1 New Street\nCity: —')
  expect([segments, hold, size, metadata]).toEqual(['retail, vip', 'Yes', '5,897', '—'])
  expect(pauses).toMatch(/^Jan 5, 2026.*, Jan 6, 2026/)
  expect(votes).toBe('Note: Seen\n\nNote: Called')
})

test('values that were never recorded are marked as such', async () => {
  await renderPage(<JsonDiff before={null} after={{}} />)
  expect(await screen.findByText('No field values were recorded.')).toBeDefined()
})

test.each([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['no JSON', 'no JSON'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
])('the value %j is printed readably', async (value, shown) => {
  await renderPage(<JsonBlock value={value} label="Body" />)
  expect((await screen.findByLabelText('Body')).textContent).toBe(shown)
})
