import { expect, test } from 'bun:test'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import {
  fill,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  upload,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { BrandSection } from './brand-section.tsx'
import { ConversionsSection } from './conversions-section.tsx'
import { FirmSection } from './firm-section.tsx'
import { FlagsSection } from './flags-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { fetchFirm, type Tenant } from './settings.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const firm = (with_: Partial<Tenant> = {}): Tenant => ({
  id: 'ten_1',
  name: 'Meridian Markets',
  slug: 'meridian',
  domain: null,
  status: 'active',
  branding: { color: '#2f55d4', logoUrl: null },
  featureFlags: { signUp: true, limits: { most: 3 } },
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  conversion: { spread: 0.0055, maxAgeHours: 24, dailyLimit: '10000.00' },
  platforms: ['terminal5'],
  platformAcknowledges: false,
  payoutMinimum: '50.00',
  maxAcquisition: '1000.00',
  keepYears: 5,
  readsPerDay: 500,
  security: { secondFactorRoles: ['owner'] },
  version: 7,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

type Section = (props: { tenant: Tenant }) => ReactNode
/** Shows one section of the page, and reads the firm as the page does. */
const Firm = ({ section: One }: { section: Section }) => {
  const { data } = useQuery({ queryKey: ['firm'], queryFn: fetchFirm })
  return data && <One tenant={data} />
}
const open = (section: Section, answers: Answers = {}, role: Role = 'owner') =>
  renderPage(<Firm section={section} />, {
    role,
    answers: {
      'auth.me': meAs(role),
      'tenants.current': firm(),
      'approvalPolicies.get': {
        version: 2,
        currency: 'EUR',
        threshold: '10000.00',
        minKycLevel: 1,
        ownMoneyLimit: '1000.00',
        simulation: null,
      },
      ...answers,
    },
  })
/** Returns the queries of the section with that heading. */
const part = async (title: string) => {
  const section = (await seen('heading', title)).closest('section')
  if (!section) throw new Error(`${title} heads no section`)
  return within(section)
}
const stale = (): Response => refusal(412, 'version_mismatch', 'A colleague changed it.')

test('the firm’s name is saved only if nobody changed the firm meanwhile, and the logo stays', async () => {
  const { server } = await open(BrandSection, { 'tenants.updateCurrent': firm({ name: 'Meridian', version: 8 }) })
  const brand = await part('Name and colour')
  await fill(brand.getByRole('textbox', { name: /^Firm/ }), ' Meridian ')
  await press(brand.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Settings saved\. Firm: .* → Meridian/)).toBeDefined()
  expect(server.of('tenants.updateCurrent')[0]).toMatchObject({
    body: { name: 'Meridian', branding: { color: '#2f55d4', logoUrl: null } },
    ifMatch: '"7"',
  })
})

test('Undo saves the former settings over the version that the change made, unless a colleague changed them', async () => {
  const { server } = await open(BrandSection, { 'tenants.updateCurrent': firm({ name: 'Meridian', version: 8 }) })
  const brand = await part('Name and colour')
  await fill(brand.getByRole('textbox', { name: /^Firm/ }), 'Meridian')
  await press(brand.getByRole('button', { name: 'Save' }))
  server.now({ 'tenants.updateCurrent': stale })
  await press(await seen('button', 'Undo'))
  expect(await screen.findByText('A colleague has changed it since, so nothing was undone.')).toBeDefined()
  expect(server.of('tenants.updateCurrent')[1]).toMatchObject({ body: { name: firm().name }, ifMatch: '"8"' })
})

test('typed settings stay when a colleague saved first, until the newest version is loaded', async () => {
  const { server } = await open(BrandSection, { 'tenants.updateCurrent': stale })
  const brand = await part('Name and colour')
  const name = brand.getByRole('textbox', { name: /^Firm/ })
  await fill(name, 'Mine')
  await press(brand.getByRole('button', { name: 'Save' }))
  expect(await brand.findByText('This changed while you were working')).toBeDefined()
  expect(name).toHaveProperty('value', 'Mine')
  server.now({ 'tenants.current': firm({ name: 'Theirs', version: 8 }) })
  await press(brand.getByRole('button', { name: 'Load the current version' }))
  await press(within(await seen('dialog', 'Discard changes?')).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(brand.getByRole('textbox', { name: /^Firm/ })).toHaveProperty('value', 'Theirs'))
})

test('settings that were saved, but got no answer, are recognised when the page is read again', async () => {
  const { server, client } = await open(BrandSection, { 'tenants.updateCurrent': noAnswer })
  const brand = await part('Name and colour')
  await fill(brand.getByRole('textbox', { name: /^Firm/ }), 'Mine')
  await press(brand.getByRole('button', { name: 'Save' }))
  expect(await brand.findByText(/No answer came/)).toBeDefined()
  server.now({ 'tenants.current': firm({ name: 'Mine', version: 8 }) })
  await client.invalidateQueries({ queryKey: ['firm'] })
  expect(await screen.findByText(/^Settings saved\./)).toBeDefined()
  await waitFor(() => expect(brand.queryByText(/No answer came/)).toBeNull())
  expect(server.of('tenants.updateCurrent')).toHaveLength(1)
})

test('an invalid colour is refused at its field, and an empty one is saved as none', async () => {
  const { server } = await open(BrandSection, { 'tenants.updateCurrent': firm({ version: 8 }) })
  const brand = await part('Name and colour')
  const colour = brand.getByRole('textbox', { name: /^Colour/ })
  await fill(colour, 'sky')
  await press(brand.getByRole('button', { name: 'Save' }))
  expect(await brand.findByText('A colour such as #2f55d4')).toBeDefined()
  expect(colour).toHaveProperty('value', 'sky')
  expect(server.of('tenants.updateCurrent')).toEqual([])
  await fill(colour, '')
  await press(brand.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.of('tenants.updateCurrent')[0]?.body).toMatchObject({ branding: { color: null } }))
})

test.each([
  ['owner', { maxAcquisition: '1000.00', keepYears: 5, readsPerDay: 500, security: { secondFactorRoles: ['owner'] } }],
  ['admin', {}],
] as const)('the settings of the firm send the owner’s own fields only for an owner (%s)', async (role, security) => {
  const { server } = await open(FirmSection, { 'tenants.updateCurrent': firm({ version: 8 }) }, role)
  const days = await part('Days, currency and platforms')
  await press(days.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.of('tenants.updateCurrent')).toHaveLength(1))
  expect(server.of('tenants.updateCurrent')[0]?.body).toEqual({
    timeZone: 'Europe/Lisbon',
    currency: 'EUR',
    platforms: ['terminal5'],
    platformAcknowledges: false,
    ...security,
  })
})

test('the spread of conversions is shown as a percentage and saved as a share', async () => {
  const { server } = await open(ConversionsSection, { 'tenants.updateCurrent': firm({ version: 8 }) })
  const terms = await part('Conversions')
  expect(await terms.findByLabelText(/^Spread/)).toHaveProperty('value', '0.55 %')
  await press(terms.getByRole('button', { name: 'Save terms' }))
  await waitFor(() => expect(server.of('tenants.updateCurrent')).toHaveLength(1))
  expect(server.of('tenants.updateCurrent')[0]?.body).toEqual({
    conversion: { spread: 0.0055, maxAgeHours: 24, dailyLimit: '10000.00' },
  })
})

test('an admin reads the conversion terms, with grouped amount and currency, and cannot change them', async () => {
  await open(ConversionsSection, {}, 'admin')
  const terms = await part('Conversions')
  expect(terms.getByText('0.55 %')).toBeDefined()
  expect(await terms.findByText(/^10,000\.00 EUR$/)).toBeDefined()
  expect(terms.queryByRole('button')).toBeNull()
})

test('a feature flag is added by Enter and another removed, and values of programs are left unchanged', async () => {
  const { server } = await open(FlagsSection, { 'tenants.updateCurrent': firm({ version: 8 }) })
  const switches = await part('Switches')
  expect(switches.getAllByRole('switch')).toHaveLength(1)
  await press(switches.getByRole('button', { name: 'Remove signUp' }))
  expect(switches.getByText('No switches yet.')).toBeDefined()
  await fill(switches.getByRole('textbox', { name: /^New switch/ }), '9lives{Enter}')
  expect(switches.getByText('Letters, digits, dots, dashes; a letter first')).toBeDefined()
  await fill(switches.getByRole('textbox', { name: /^New switch/ }), 'chat{Enter}')
  expect(server.of('tenants.updateCurrent')).toEqual([])
  await press(switches.getByRole('switch', { name: 'chat' }))
  await press(switches.getByRole('button', { name: 'Save switches' }))
  await waitFor(() => expect(server.of('tenants.updateCurrent')).toHaveLength(1))
  expect(server.of('tenants.updateCurrent')[0]).toMatchObject({ ifMatch: '"7"' })
  expect(server.of('tenants.updateCurrent')[0]?.body).toEqual({ featureFlags: { signUp: null, chat: false } })
})

const picture = (type: string, size = 10): File => new File([new Uint8Array(size)], 'logo', { type })
const logoField = async (): Promise<HTMLElement> => {
  await part('Logo')
  return screen.getByLabelText('Logo', { selector: 'input' })
}

test('the upload of a logo is announced with its type and size, and a refusal is shown at the field', async () => {
  const { server } = await open(LogoSection, { 'tenants.logoUpload': refusal(413, 'too_large', 'No room for it.') })
  await upload(await logoField(), picture('image/webp'))
  expect((await screen.findByRole('alert')).textContent).toBe('No room for it.')
  expect(server.of('tenants.logoUpload')[0]?.body).toEqual({ contentType: 'image/webp', fileSize: 10 })
  expect(server.of('tenants.logoConfirm')).toEqual([])
})

test('a picture that is too large is refused before anything is sent', async () => {
  const { server } = await open(LogoSection)
  await upload(await logoField(), picture('image/png', 1024 * 1024 + 1))
  expect(await screen.findByText('The picture is larger than 1 MiB.')).toBeDefined()
  expect(server.of('tenants.logoUpload')).toEqual([])
})

test('a logo is removed only if nobody changed the firm meanwhile, and the colour stays', async () => {
  const { server } = await open(LogoSection, {
    'tenants.current': firm({ branding: { color: '#0f766e', logoUrl: '/logo.png' } }),
    'tenants.updateCurrent': firm({ version: 8 }),
  })
  const logo = await part('Logo')
  await press(logo.getByRole('button', { name: 'Remove' }))
  await pressButton('Remove logo')
  expect(await screen.findByText('Logo removed.')).toBeDefined()
  expect(server.of('tenants.updateCurrent')[0]).toMatchObject({
    body: { branding: { color: '#0f766e', logoUrl: null } },
    ifMatch: '"7"',
  })
})
