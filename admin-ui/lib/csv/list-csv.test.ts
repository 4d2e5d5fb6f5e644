import { expect, test } from 'bun:test'
import { setZone } from '../text/zone.ts'
import { AMOUNT_CELL, CLIENT_CELL, type FileRow, loadColumns, nameCell, readFileRows, toShownCsv } from './list-csv.ts'

const FILE = `\ufeffid,traderId,createdAt,status,currency,amount,assignedTo,note,traderName
dep_1,trd_1,2026-11-19T23:41:41.767Z,pending,EUR,4605.00,usr_1,"two
lines, ""said""",Ana Lima
dep_2,trd_2,2026-11-20T00:00:00.000Z,settled,JPY,-500,,'=1+1,
`

test('the API’s file is read into rows, with commas, quotes and line breaks inside cells', () => {
  const rows = readFileRows(FILE)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ id: 'dep_1', note: 'two\nlines, "said"', traderName: 'Ana Lima' })
  expect(rows[1]).toMatchObject({ note: "'=1+1", traderName: '' })
  expect(readFileRows('id,b\n')).toEqual([])
})

test('the file of a list has the columns of the screen in their order, with headings, names, and the firm’s times', () => {
  setZone('Europe/Nicosia')
  const columns = [
    { key: 'status', title: 'Status', file: nameCell({ pending: 'To settle', settled: { label: 'Settled' } }) },
    { key: 'trader', title: 'Client', file: CLIENT_CELL },
    { key: 'amount', title: 'Amount', file: AMOUNT_CELL },
    { key: 'flags', title: 'Flags' },
    { key: 'createdAt', title: 'Announced' },
    { key: 'assignedTo', title: 'Owner' },
    { key: 'note', title: 'Note' },
    {
      key: 'both',
      title: 'Both',
      file: ({ id = '', amount = '' }: Readonly<Record<string, string>>) => `${id} ${amount}`,
    },
  ]
  expect(toShownCsv(FILE, columns, { names: new Map([['usr_1', 'Ingrid Solheim']]) })).toBe(
    `\ufeffStatus,Client,Amount,Currency,Announced,Owner,Note,Both
To settle,Ana Lima,4605.00,EUR,2026-11-20 01:41:41,Ingrid Solheim,"two
lines, ""said""",dep_1 4605.00
Settled,,-500,JPY,2026-11-20 02:00:00,,'=1+1,dep_2 -500
`,
  )
  setZone(undefined)
})

test('a name that a spreadsheet would run as a formula is made harmless', () => {
  const shown = toShownCsv('id,assignedTo\n1,usr_1\n', [{ key: 'assignedTo', title: 'Owner' }], {
    names: new Map([['usr_1', '=1+1']]),
  })
  expect(shown).toBe("\ufeffOwner\n'=1+1\n")
})

test('in German the file has semicolons and decimal commas in its figures, and texts stay as they are', () => {
  const columns = [
    { key: 'amount', title: 'Betrag', align: 'right' as const, file: AMOUNT_CELL },
    { key: 'note', title: 'No\u00adtiz; kurz' },
  ]
  const form = { separator: ';', decimal: ',' }
  const text = 'amount,currency,note\n-4605.00,EUR,Kurs 1.25\n12,JPY,a;b\n'
  expect(toShownCsv(text, columns, { form, keep: ({ currency }) => currency !== 'CHF' })).toBe(
    '\ufeffBetrag;Currency;"Notiz; kurz"\n-4605,00;EUR;Kurs 1.25\n12;JPY;"a;b"\n'.replace('Währung', 'Currency'),
  )
})

test('a column that the screen reads beside its rows is read for the rows of the file', async () => {
  const asked: string[] = []
  const load = (rows: readonly FileRow[]) => {
    asked.push(...rows.map(({ id = '' }) => id))
    return Promise.resolve(({ id = '' }: FileRow) => `1 of 2 for ${id}`)
  }
  const shown = [{ key: 'policy', title: 'Approvals', file: { load } }]
  const columns = await loadColumns('id\nwdr_1\nwdr_2\n', shown)
  expect(toShownCsv('id\nwdr_1\nwdr_2\n', columns)).toBe('\ufeffApprovals\n1 of 2 for wdr_1\n1 of 2 for wdr_2\n')
  expect(asked).toEqual(['wdr_1', 'wdr_2'])
})
