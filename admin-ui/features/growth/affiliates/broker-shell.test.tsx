import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import type { AffiliateDetail } from './affiliates.api.ts'
import { BrokerShell } from './broker-shell.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const own = (with_: Partial<AffiliateDetail> = {}): AffiliateDetail => ({
  id: 'aff_1',
  traderId: 'trd_1',
  name: 'Ana L.',
  code: 'ANA',
  parentId: null,
  planId: null,
  status: 'active',
  version: 5,
  createdAt: AT,
  updatedAt: AT,
  stats: {
    clients: 2,
    below: 0,
    clientsBelow: 0,
    clicks: 7,
    balances: [{ currency: 'EUR', earned: '250.00', asked: '0.00', paid: '0.00', available: '250.00' }],
  },
  ...with_,
})
const me = { ...meAs('viewer'), displayName: 'Ana Lima', affiliateId: 'aff_1' }
const open = (with_: Partial<AffiliateDetail> = {}, answers: Answers = {}, at = '/') =>
  renderPage(<BrokerShell me={me} affiliateId="aff_1" />, {
    at,
    role: 'viewer',
    answers: { 'affiliates.get': own(with_), 'affiliates.clients': buildPage(), ...answers },
  })

test('a broker sees their own code and clients, and no links to the clients’ pages', async () => {
  const { server } = await open(
    {},
    {
      'affiliates.clients': buildPage({
        id: 'trd_7',
        firstName: 'Bo',
        lastName: 'E.',
        email: null,
        phone: null,
        country: null,
        kycApproved: true,
        deposited: true,
        createdAt: AT,
      }),
    },
  )
  expect(await seen('heading', 'Ana Lima')).toBeDefined()
  expect(screen.getByText('Your code is ANA')).toBeDefined()
  expect(await screen.findByText('Bo E.')).toBeDefined()
  expect(screen.queryAllByRole('link', { name: 'Bo E.' })).toEqual([])
  expect(server.of('affiliates.clients')[0]?.params).toEqual({ id: 'aff_1' })
})

test('a broker requests their payout without naming an affiliate', async () => {
  const { server } = await open({}, { 'payouts.create': Response.json({}) })
  await pressButton('Request a payout')
  const form = within(await seen('dialog', 'Request a payout'))
  await fill(form.getByLabelText(/^Amount/), '100')
  await press(form.getByRole('button', { name: 'Request' }))
  await waitFor(() => expect(server.of('payouts.create')).toHaveLength(1))
  expect(server.of('payouts.create')[0]?.body).toEqual({ currency: 'EUR', amount: '100.00' })
})

test.each([
  ['who is not active', own({ status: 'suspended' })],
  ['who has earned nothing', own({ stats: { ...own().stats, balances: [] } })],
])('a broker %s requests no payout', async (_, affiliate) => {
  await open(affiliate)
  await screen.findByText('Your code is ANA')
  expect(screen.queryAllByRole('button', { name: 'Request a payout' })).toEqual([])
})

test('a broker moves and opens nothing in the tree', async () => {
  const node = (id: string, name: string, depth: number, parentId: string | null) => ({
    id,
    name,
    depth,
    parentId,
    code: name.toUpperCase(),
    status: 'active' as const,
    clients: 1,
  })
  const tree = { data: [node('aff_1', 'Ana', 0, null), node('aff_2', 'West', 1, 'aff_1')], truncated: true }
  await open({}, { 'affiliates.tree': tree }, '/?tab=tree')
  expect(await screen.findByText('West')).toBeDefined()
  expect(screen.queryAllByRole('link', { name: 'West' })).toEqual([])
  expect(screen.queryAllByRole('button', { name: /^Move/ })).toEqual([])
  expect(screen.getByText('Only the first 2,000 are shown.')).toBeDefined()
})

test('a branch that cannot be read shows why, and signing out stays possible', async () => {
  await open({}, { 'affiliates.get': refusal(422, 'invalid', 'It cannot be read') })
  expect((await screen.findByRole('alert')).textContent).toContain('It cannot be read')
  expect(await seen('button', 'Sign out')).toBeDefined()
})
