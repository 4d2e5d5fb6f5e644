import { expect, test } from 'bun:test'
import { press, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { overview, trader } from '../../../testing/samples.ts'
import { toValues } from '../../clients/traders/trader-form.ts'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { TraderDetails } from './trader-details.tsx'
import { TraderFigures } from './trader-figures.tsx'

const details = async (with_: Partial<Trader> = {}) => {
  const asked: true[] = []
  await renderPage(<TraderDetails trader={trader(with_)} editAll={() => void asked.push(true)} />)
  await screen.findByText('Person')
  return asked
}
/** Returns the text beside a label. */
const findFact = (label: string): string | null | undefined => screen.getByText(label).nextElementSibling?.textContent

test.each([
  ['E-mail', {}, 'ana@mail.example'],
  ['E-mail', { email: null }, '—'],
  ['Date of birth', {}, 'Feb 3, 1990'],
  ['Language', {}, 'Portuguese'],
  ['Address', {}, '1 Mill Lane, Porto'],
  ['Address', { address: { postalCode: '4000', city: '' } }, '4000'],
  ['Address', { address: {} }, '—'],
  ['Country', {}, 'Portugal'],
  ['Country', { country: null }, '—'],
  ['Tags', { tags: ['vip', 'calls back'] }, 'vipcalls back'],
] satisfies [string, Partial<Trader>, string][])(
  'the fact “%s” of a client with %j is shown as “%s”',
  async (label, with_, words) => {
    await details(with_)
    expect(findFact(label)).toBe(words)
  },
)

test('a viewer is told who sees the whole phone number, and cannot copy a part of it', async () => {
  const hidden = { phone: '•••3456', dateOfBirth: null, address: { city: 'Porto' } }
  await renderPage(<TraderDetails trader={trader(hidden)} />, { role: 'viewer' })
  expect(await screen.findByText(/are shown from the role operator on/)).toBeDefined()
  expect([findFact('Phone'), findFact('Address')]).toEqual(['•••3456', 'Porto'])
  expect(screen.queryByText('Date of birth')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Copy: Phone' })).toBeNull()
})

test('the whole form of a client is behind one button, and an empty fact cannot be copied', async () => {
  const asked = await details({ phone: null })
  expect(screen.queryByRole('button', { name: 'Copy: Phone' })).toBeNull()
  await press(await seen('button', 'Edit all'))
  expect(asked).toEqual([true])
})

/** These values of a client's form are changed elsewhere: beside its name, or in the whole form. */
const ELSEWHERE = ['firstName', 'lastName', 'riskLevel', 'assignedTo']
test('each value of a client’s form has a pencil that opens the same field in place', async () => {
  await details()
  for (const button of await screen.findAllByRole('button', { name: /^Change: / })) await press(button)
  const drawn = [...document.querySelectorAll('.in-place [data-path]')].map(
    (one) => one.getAttribute('data-path') ?? '',
  )
  const missing = Object.keys(toValues()).filter((key) => !drawn.some((path) => path.split(/[-.]/).includes(key)))
  expect(missing).toEqual(ELSEWHERE)
})

const renderFigures = async (with_: Parameters<typeof overview>[0]) => {
  await renderPage(<TraderFigures overview={overview(with_)} />, { at: '/traders/trd_1', route: '/traders/$id' })
  return within(await screen.findByLabelText('Figures of this client'))
}
type Shown = Awaited<ReturnType<typeof renderFigures>>
const findFigure = (shown: Shown, label: string): string | null | undefined =>
  shown.getByText(label).closest('dt')?.nextElementSibling?.textContent
const wallet = (currency: string, available: string, held: string) => ({ currency, available, held })

test('a client’s amounts are shown by currency, and each links to its rows', async () => {
  const shown = await renderFigures({
    wallets: [wallet('EUR', '1200.00', '0.00'), wallet('JPY', '98765', '15000')],
    deposited: { byCurrency: [{ currency: 'EUR', count: 1, amount: '20000.00' }] },
    paidOut: { byCurrency: null },
    openPositions: { byCurrency: [{ currency: 'USD', count: 1, amount: '-1500.25' }] },
  })
  expect(findFigure(shown, 'Available')).toBe('1,200.00 EUR98,765 JPY')
  expect(findFigure(shown, 'Held')).toBe('15,000 JPY')
  expect(findFigure(shown, 'Deposited')).toBe('20,000.00 EUR')
  expect(findFigure(shown, 'Paid out')).toBe('More than 10,000 records')
  expect(findFigure(shown, 'Profit of open positions')).toBe('−1,500.25 USD')
  expect(shown.getAllByRole('link').map((link) => link.getAttribute('href')?.split('tab=')[1])).toEqual([
    'wallets',
    'wallets',
    'deposits',
    'withdrawals',
    'positions',
    'tickets',
  ])
})

test('facts about a client that the viewer may not know are left out', async () => {
  const all = overview()
  const shown = await renderFigures({
    wallets: null,
    deposited: null,
    paidOut: null,
    openPositions: null,
    records: { ...all.records, tickets: { total: 9, waiting: 3 } },
  })
  expect(shown.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Open tickets'])
  expect(findFigure(shown, 'Open tickets')).toBe('3')
})
