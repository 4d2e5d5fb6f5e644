import { expect, test } from 'bun:test'
import { type Answers, buildPage } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { DayTable } from './day-table.tsx'
import { DealDrawer, listChanges } from './deal-drawer.tsx'
import { DealTable } from './deal-table.tsx'
import { FindingDrawer } from './finding-drawer.tsx'
import { FindingTable } from './finding-table.tsx'
import { LoginTable } from './login-table.tsx'
import type { Day, Deal, Finding, Login } from './records.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const LOGIN: Login = {
  id: 'trl_1',
  connectionId: 'trm_1',
  login: '5001',
  group: 'real\\usd',
  state: 'linked',
  accountId: 'acc_1',
  accountType: 'live',
  currency: 'USD',
  leverage: 100,
  mayTrade: true,
  maySignIn: false,
  registeredAt: AT,
  balance: '1000.00',
  credit: '0.00',
  equity: null,
  marginFree: null,
  stateSince: AT,
  readAt: AT,
  createdAt: AT,
}
const DEAL: Deal = {
  id: 'trx_1',
  connectionId: 'trm_1',
  number: '77',
  login: '5001',
  at: AT,
  kind: 'trade',
  action: 0,
  entry: 'out',
  position: '70',
  orderNumber: '71',
  symbol: 'EURUSD',
  side: 'long',
  lots: '1.00',
  lotsClosed: null,
  price: '1.08',
  currency: 'USD',
  profit: '30.00',
  swap: '0.00',
  commission: '-2.00',
  fee: '0.00',
  spread: null,
  technical: false,
  reason: 'client',
  comment: '',
  flags: [],
  state: 'live',
  transferId: null,
  revision: 3,
  revisions: [
    { revision: 2, at: AT, was: { profit: '20.00' } },
    { revision: 1, at: AT, was: { profit: '10.00', state: 'cancelled' } },
  ],
}
const finding = (with_: Partial<Finding> = {}): Finding => ({
  id: 'trf_1',
  connectionId: 'trm_1',
  kind: 'balance_differs',
  subject: '5001',
  login: '5001',
  currency: 'USD',
  amount: '12.50',
  detail: {},
  state: 'open',
  healed: false,
  closedBy: null,
  closedAt: null,
  reason: null,
  transferId: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const DAY: Day = {
  id: 'tdy_2',
  connectionId: 'trm_1',
  day: '2026-11-19',
  currency: 'USD',
  revision: 2,
  accounts: 3,
  balance: '1042.50',
  negative: '0.00',
  credit: '50.00',
  equity: '1092.50',
  equityAt: AT,
  owed: '1042.50',
  transfersIn: '100.00',
  transfersOut: '40.00',
  trading: '-17.50',
  owned: '30.00',
  unknown: '0.00',
  unexplained: '0.00',
  inFlight: '0.00',
  state: 'owned',
  replacedAt: null,
  createdAt: AT,
}
const openFindings = (answers: Answers) =>
  renderPage(<FindingTable servers={[{ value: 'trm_1', label: 'Live, London' }]} />, {
    at: '/platforms/findings',
    route: '/platforms/findings',
    answers: { 'platforms.logins.list': buildPage(LOGIN), ...answers },
  })

test('the logins of a server are read with their filters, and a login leads to its account and deals', async () => {
  const { server } = await renderPage(<LoginTable connectionId="trm_1" />, {
    at: '/platforms/trm_1?tab=logins&state=linked&group=real%5Cusd',
    route: '/platforms/$id',
    answers: { 'platforms.logins.list': buildPage(LOGIN) },
  })
  await press(await screen.findByRole('button', { name: '5001' }))
  const drawer = within(await seen('dialog', 'Login 5001'))
  expect(drawer.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/admin/accounts/acc_1')
  expect(drawer.getByRole('link', { name: 'Show deals' }).getAttribute('href')).toBe(
    '/admin/platforms/trm_1?tab=deals&accountId=acc_1',
  )
  expect(server.of('platforms.logins.list')[0]?.query).toMatchObject({
    connectionId: 'trm_1',
    state: 'linked',
    group: 'real\\usd',
  })
})

test('deals are read with their filters, and show how often they were changed', async () => {
  const { server } = await renderPage(<DealTable connectionId="trm_1" />, {
    at: '/platforms/trm_1?tab=deals&kind=trade&position=70&accountId=acc_1',
    route: '/platforms/$id',
    answers: { 'platforms.deals.list': buildPage(DEAL) },
  })
  expect((await screen.findByText('77')).closest('tr')?.textContent).toContain('Counts2')
  expect(server.of('platforms.deals.list')[0]?.query).toMatchObject({
    connectionId: 'trm_1',
    kind: 'trade',
    position: '70',
    accountId: 'acc_1',
    sort: '-at',
  })
})

test('each change of a deal is shown with the values before and after it', async () => {
  expect(listChanges(DEAL)).toEqual([
    { revision: 2, at: AT, before: { profit: '20.00' }, after: { profit: '30.00' } },
    {
      revision: 1,
      at: AT,
      before: { profit: '10.00', state: 'cancelled' },
      after: { profit: '20.00', state: 'live' },
    },
  ])
  const answers = { 'platforms.logins.list': buildPage(LOGIN) }
  await renderPage(<DealDrawer deal={DEAL} onClose={() => undefined} />, { answers })
  const drawer = within(await seen('dialog', 'Deal 77'))
  const lines = drawer.getAllByRole('row').map(({ textContent }) => textContent)
  expect(lines).toContain('StateCancelledCounts')
  expect((await drawer.findByRole('link', { name: '5001' })).getAttribute('href')).toBe('/admin/accounts/acc_1')
})

test('findings open on those that are open, with their server and what each means', async () => {
  const { server } = await openFindings({ 'platforms.findings.list': buildPage(finding()) })
  const table = within(await seen('table', 'Findings of trading servers'))
  expect(table.getByText('Balance differs').closest('tr')?.textContent).toContain('Live, London')
  expect(server.of('platforms.findings.list')[0]?.query).toMatchObject({ state: 'open' })
  expect(server.of('savedViews.list')).toEqual([])
  await press(table.getByRole('button', { name: 'Balance differs' }))
  const drawer = within(await seen('dialog', 'Balance differs'))
  expect(drawer.getByText(/not explained by its deals/)).toBeDefined()
  expect((await drawer.findByRole('link', { name: '5001' })).getAttribute('href')).toBe('/admin/accounts/acc_1')
})

test.each([
  ['deal_changed', { state: 'cancelled', fields: 'profit,state' }, ['DealCancelled', 'ChangedProfit or amountState']],
  ['clock', { seconds: '180' }, ['Wrong by180 seconds']],
] as const)('a finding %s says what is known of it', async (kind, detail, texts) => {
  const none = () => undefined
  const drawer = <FindingDrawer finding={finding({ kind, detail })} server={undefined} onAsk={none} onClose={none} />
  await renderPage(drawer, { answers: { 'platforms.logins.list': buildPage(LOGIN) } })
  const said = (await screen.findByRole('dialog')).textContent
  for (const text of texts) expect(said).toContain(text)
})

test('chosen findings are closed together with one reason, and a refused one says why', async () => {
  const { server } = await openFindings({
    'platforms.findings.list': buildPage(finding(), finding({ id: 'trf_2', kind: 'deal_changed', subject: '77' })),
    'platforms.findings.close': {
      results: [
        { id: 'trf_1', ok: true, version: 2 },
        { id: 'trf_2', ok: false, code: 'wrong_state', message: 'It is closed already.' },
      ],
    },
  })
  const table = within(await seen('table', 'Findings of trading servers'))
  for (const box of table.getAllByRole('checkbox').slice(1)) await press(box)
  await pressButton('Close as explained')
  const dialog = within(await seen('dialog', 'Close 2 findings'))
  await press(dialog.getByRole('button', { name: 'Close as explained' }))
  expect(await dialog.findByText('Say what explains it')).toBeDefined()
  await fill(dialog.getByLabelText(/^Reason/), ' Booked by hand ')
  await press(dialog.getByRole('button', { name: 'Close as explained' }))
  expect(await screen.findByText('It is closed already.')).toBeDefined()
  expect(server.of('platforms.findings.close')[0]?.body).toEqual({
    ids: ['trf_1', 'trf_2'],
    reason: 'Booked by hand',
  })
})

test('one finding is closed from beside the list', async () => {
  const { server } = await openFindings({
    'platforms.findings.list': buildPage(finding()),
    'platforms.findings.close': { results: [{ id: 'trf_1', ok: true, version: 2 }] },
  })
  await press(await screen.findByRole('button', { name: 'Balance differs' }))
  const drawer = within(await seen('dialog', 'Balance differs'))
  await press(drawer.getByRole('button', { name: 'Close as explained' }))
  const dialog = within(await seen('dialog', 'Close 1 finding'))
  await fill(dialog.getByLabelText(/^Reason/), 'Known')
  await press(dialog.getByRole('button', { name: 'Close as explained' }))
  expect(await screen.findByText('1 finding is closed.')).toBeDefined()
  expect(server.of('platforms.findings.close')).toHaveLength(1)
})

test('a day shows its balance as a sum, and its revisions', async () => {
  const before: Day = {
    ...DAY,
    id: 'tdy_1',
    revision: 1,
    owned: '0.00',
    unknown: '30.00',
    state: 'open',
    replacedAt: AT,
  }
  const { server } = await renderPage(<DayTable servers={[{ value: 'trm_1', label: 'Live, London' }]} />, {
    at: '/platforms/days?state=owned',
    route: '/platforms/days',
    answers: {
      'platforms.days.list': ({ query }) => (query.revisions === 'true' ? buildPage(DAY, before) : buildPage(DAY)),
    },
  })
  const table = within(await seen('table', 'Days of trading servers'))
  expect(server.of('platforms.days.list')[0]?.query).toMatchObject({ state: 'owned' })
  await press(table.getByRole('button', { name: 'Nov 19, 2026' }))
  const drawer = within(await seen('dialog', 'Nov 19, 2026, USD'))
  const sum = within(drawer.getByRole('table', { name: 'How the balance came about' }))
  expect(sum.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Balance of the day before970.00 USD',
    'Transfers in100.00 USD',
    'Transfers out−40.00 USD',
    'Trading−17.50 USD',
    'Explained30.00 USD',
    'Unknown0.00 USD',
    'Unexplained0.00 USD',
    'Balance1,042.50 USD',
  ])
  expect(await drawer.findByText(/Revision 1/)).toBeDefined()
})
