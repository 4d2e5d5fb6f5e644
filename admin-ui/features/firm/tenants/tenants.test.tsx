import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { TenantList } from './tenant-list.tsx'
import type { Tenant } from './tenants.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const firm = (with_: Partial<Tenant> = {}): Tenant => ({
  id: 'ten_2',
  name: 'Northgate',
  slug: 'northgate',
  domain: null,
  status: 'active',
  branding: {},
  featureFlags: {},
  timeZone: 'UTC',
  currency: 'EUR',
  conversion: { spread: 0, maxAgeHours: 24, dailyLimit: '0.00' },
  platforms: [],
  platformAcknowledges: false,
  payoutMinimum: '50.00',
  maxAcquisition: '1000.00',
  keepYears: 5,
  readsPerDay: 500,
  security: { secondFactorRoles: [] },
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const open = (answers: Answers = {}) =>
  renderPage(<TenantList />, {
    at: '/tenants',
    route: '/tenants',
    role: 'platform_admin',
    answers: { 'auth.me': meAs('platform_admin'), 'tenants.list': buildPage(firm()), ...answers },
  })
const choose = async (act: string, name = 'Northgate'): Promise<void> => {
  await pressButton(`Actions for ${name}`)
  await press(await seen('menuitem', act))
}
const field = (name: RegExp): Promise<HTMLElement> => screen.findByRole('textbox', { name })

test.each([
  ['with its required fields alone', {}, { name: 'New', owner: { displayName: 'Ana', email: 'a@x.eu' } }],
  [
    'with a short name, a domain and a password',
    { slug: ' new ', domain: ' Office.X.eu ', password: 'long enough' },
    {
      name: 'New',
      slug: 'new',
      domain: 'office.x.eu',
      owner: { displayName: 'Ana', email: 'a@x.eu', password: 'long enough' },
    },
  ],
] as const)('a firm is created %s', async (_, more, body) => {
  const { server } = await open({ 'tenants.create': firm() })
  await pressButton('New firm')
  await fill(await field(/^Firm/), ' New ')
  if ('slug' in more) {
    await fill(await field(/^Short name/), more.slug)
    await fill(await field(/^Domain/), more.domain)
    await fill(await screen.findByLabelText(/^Password/), more.password)
  }
  await fill(await field(/^Name/), ' Ana ')
  await fill(await field(/^E-mail/), ' a@x.eu ')
  const before = server.of('tenants.list').length
  await pressButton('Create firm')
  expect(await screen.findByText('Firm created.')).toBeDefined()
  expect(server.of('tenants.create').map((asked) => asked.body)).toEqual([body])
  await waitFor(() => expect(server.of('tenants.list').length).toBeGreaterThan(before))
})

test('a firm without a name or an owner is not created, and a short password is refused', async () => {
  const { server } = await open()
  await pressButton('New firm')
  await fill(await screen.findByLabelText(/^Password/), 'short')
  await pressButton('Create firm')
  for (const words of [
    'Enter the name of the firm',
    'Enter a name',
    'Enter an e-mail address',
    'Use at least 10 characters',
  ])
    expect(await screen.findByText(words)).toBeDefined()
  expect(server.of('tenants.create')).toEqual([])
})

test('an error about the owner of a new firm is shown at the owner’s field', async () => {
  await open({
    'tenants.create': refusal(400, 'validation_failed', 'Not valid.', [
      { path: '/owner/email', message: 'belongs to somebody' },
    ]),
  })
  await pressButton('New firm')
  await fill(await field(/^Firm/), 'New')
  await fill(await field(/^Name/), 'Ana')
  await fill(await field(/^E-mail/), 'a@x.eu')
  await pressButton('Create firm')
  expect(await screen.findByText('Belongs to somebody')).toBeDefined()
  expect((await field(/^E-mail/)).getAttribute('aria-invalid')).toBe('true')
})

test('a firm is renamed only if nobody changed it meanwhile, and a removed domain is saved as none', async () => {
  const { server } = await open({
    'tenants.list': buildPage(firm({ domain: 'office.x.eu' })),
    'tenants.update': firm({ version: 4 }),
  })
  await choose('Edit')
  await fill(await field(/^Firm/), 'North')
  await fill(await field(/^Domain/), '')
  await pressButton('Save')
  expect(await screen.findByText(/^Firm saved\. Domain: .* → nothing/)).toBeDefined()
  expect(server.of('tenants.update')[0]).toMatchObject({
    params: { id: 'ten_2' },
    body: { name: 'North', domain: null },
    ifMatch: '"3"',
  })
})

test.each([
  ['active', 'Suspend', 'suspended', 'Nobody of Northgate can sign in', 'Firm suspended.'],
  ['suspended', 'Activate', 'active', 'People of Northgate can sign in again.', 'Firm activated.'],
] as const)(
  'a firm that is %s is suspended or activated after a question',
  async (status, name, next, question, words) => {
    const { server } = await open({
      'tenants.list': buildPage(firm({ status })),
      'tenants.update': firm({ status: next }),
    })
    await choose(name)
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain(question)
    await press(within(dialog).getByRole('button', { name }))
    expect(await screen.findByText(words)).toBeDefined()
    expect(server.of('tenants.update')[0]).toMatchObject({ body: { status: next }, ifMatch: '"3"' })
  },
)

test('a user cannot suspend the firm that they are signed in to', async () => {
  await open({ 'tenants.list': buildPage(firm({ id: 'ten_1', name: 'Mine' })) })
  await pressButton('Actions for Mine')
  await seen('menuitem', 'Edit')
  expect(screen.queryByRole('menuitem', { name: 'Suspend' })).toBeNull()
})

test('a firm that a colleague changed meanwhile is read again before it is suspended', async () => {
  const { server } = await open({ 'tenants.update': refusal(412, 'version_mismatch', 'Somebody changed it.') })
  await choose('Suspend')
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Suspend' }))
  expect(await screen.findByText('Somebody changed it.')).toBeDefined()
  const before = server.of('tenants.list').length
  await pressButton('Load the current version')
  await waitFor(() => expect(server.of('tenants.list').length).toBeGreaterThan(before))
  expect(screen.queryByText('Firm suspended.')).toBeNull()
})
