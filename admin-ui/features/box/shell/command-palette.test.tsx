import { expect, test } from 'bun:test'
import { Button, Select } from '@mantine/core'
import { fireEvent } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Page } from '../../../components/page/page.tsx'
import type { Role } from '../../../lib/api/session.ts'
import { offerHelp } from '../../../lib/screen/help.ts'
import { noteRecent } from '../../../lib/screen/recent-records.ts'
import { type Answers, buildPage, noAnswer } from '../../../testing/answers.ts'
import { fill, keys, press, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import type { Hit } from '../../overview/search/search.api.ts'
import { CommandPalette, SearchButton } from './command-palette.tsx'

const hit = (with_: Partial<Hit> = {}): Hit => ({
  id: 'trd_1',
  kind: 'trader',
  title: 'Ana Lima',
  subtitle: 'ana@mail.example',
  facts: [{ is: 'text', value: 'ana@mail.example' }],
  traderId: 'trd_1',
  ...with_,
})
type Setting = { role?: Role; isView?: boolean; answers?: Answers; page?: ReactNode }

const open = async ({ role = 'manager', isView = false, answers = {}, page }: Setting = {}) => {
  const shown: string[] = []
  const drawn = await renderPage(
    <>
      {page}
      <SearchButton />
      <CommandPalette me={meAs(role)} isView={isView} showKeys={() => void shown.push('keys')} />
    </>,
    { role, at: '/here', route: '/here', answers: { 'search.all': buildPage(), ...answers } },
  )
  await keys('{Control>}k{/Control}')
  return { ...drawn, shown, field: await screen.findByRole('textbox', { name: 'Search people, numbers and pages' }) }
}
/** Returns the entry that Enter would open now. */
const marked = (): string | undefined =>
  document.querySelector('[data-action][data-selected]')?.textContent ?? undefined
const offered = (): string[] =>
  [...document.querySelectorAll('[data-action]')].map(({ textContent }) => textContent ?? '')

test('the palette is opened by Ctrl-K and by a button of the side bar, and closed by Esc', async () => {
  const { field } = await open()
  expect(document.activeElement).toBe(field)
  await keys('{Escape}')
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
  await press(await seen('button', /^Search/))
  expect(await screen.findByRole('textbox')).toBeDefined()
})

test('the palette finds a page by a part of its name, and Enter opens it', async () => {
  const { field, address, server } = await open()
  await fill(field, 'w')
  await waitFor(() => expect(offered()).toContain('Withdrawals'))
  expect(offered()).not.toContain('Deposits')
  await fill(field, 'kyc')
  await waitFor(() => expect(marked()).toBe(offered()[0]))
  await keys('{Enter}')
  await waitFor(() => expect(address()).not.toBe('/here'))
  expect(server.of('search.all').every(({ query }) => query.q !== 'w')).toBe(true)
})

test('the palette searches records from two letters on, and Enter opens the first', async () => {
  const { field, server, address } = await open({
    answers: { 'search.all': buildPage(hit(), hit({ id: 'dep_1', kind: 'deposit', title: 'WIRE-1', subtitle: '' })) },
  })
  await fill(field, 'an')
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  expect(server.of('search.all').map(({ query }) => query)).toEqual([{ q: 'an' }])
  await waitFor(() => expect(marked()).toStartWith('Ana Lima'))
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/traders/trd_1'))
})

test('the palette groups the digits of amounts, but changes nothing that people wrote', async () => {
  const subject = 'Where are my 1914.66 EUR?'
  const deposit = hit({ id: 'dep_1', kind: 'deposit', title: '1914.66 EUR', subtitle: '' })
  const { field } = await open({
    answers: { 'search.all': buildPage(deposit, hit({ id: 'tkt_1', kind: 'ticket', title: subject, subtitle: '' })) },
  })
  await fill(field, '1914')
  expect(await screen.findByText('1,914.66 EUR')).toBeDefined()
  expect(screen.getByText(subject)).toBeDefined()
})

test('arrows move between the palette’s hits', async () => {
  const { field, address } = await open({
    answers: { 'search.all': buildPage(hit(), hit({ id: 'dep_1', kind: 'deposit', title: 'WIRE-1', subtitle: '' })) },
  })
  await fill(field, 'wi')
  await screen.findByText('WIRE-1')
  await waitFor(() => expect(marked()).toStartWith('Ana Lima'))
  await keys('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/deposits/dep_1'))
})

test('Enter does not open a hit that was found for another text', async () => {
  const wait = Promise.withResolvers<Response>()
  const { field } = await open({
    answers: { 'search.all': ({ query }) => (query.q === 'an' ? buildPage(hit()) : wait.promise) },
  })
  await fill(field, 'an')
  await screen.findByText('Ana Lima')
  await fill(field, 'zzz')
  expect(screen.queryByText('Ana Lima')).toBeNull()
  expect(await screen.findByText('Searching…')).toBeDefined()
  wait.resolve(Response.json(buildPage()))
  expect(await screen.findByText('Nothing found')).toBeDefined()
})

test('a failed search of the palette finds no records, and still offers pages', async () => {
  const { field } = await open({ answers: { 'search.all': noAnswer } })
  await fill(field, 'dep')
  await waitFor(() => expect(offered()).toContain('Deposits'))
})

test.each([
  ['an account', hit({ id: 'acc_1', kind: 'account' }), '/accounts/acc_1'],
  ['a lead', hit({ id: 'led_1', kind: 'lead' }), '/leads?lead=led_1'],
  ['a colleague', hit({ id: 'usr_1', kind: 'user' }), '/users?q=Ana%20Lima'],
  ['a ticket', hit({ id: 'tic_1', kind: 'ticket' }), '/support/tic_1'],
] as const)('the palette opens %s on the page where it is handled', async (_, found, to) => {
  const { field, address } = await open({ answers: { 'search.all': buildPage(found) } })
  await fill(field, 'an')
  await press(await screen.findByText('Ana Lima'))
  await waitFor(() => expect(decodeURIComponent(address().replaceAll('+', ' '))).toBe(decodeURIComponent(to)))
})

test('the palette offers the last opened records first, until something is typed', async () => {
  noteRecent('usr_me', { to: '/deposits/dep_9', label: 'Deposit of Ana', list: 'Deposits' })
  const { field, address } = await open()
  await waitFor(() => expect(marked()).toStartWith('Deposit of Ana'))
  await fill(field, 'x')
  await waitFor(() => expect(screen.queryByText('Deposit of Ana')).toBeNull())
  await fill(field, '')
  await waitFor(() => expect(marked()).toStartWith('Deposit of Ana'))
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/deposits/dep_9'))
})

test('a command of the palette opens the form on its list', async () => {
  const { field, address } = await open()
  await fill(field, 'new dep')
  await waitFor(() => expect(marked()).toBe('New deposit'))
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/deposits?new=1'))
})

test('a command is found by other words for it, and one that the page offers is listed once', async () => {
  const { field } = await open({
    page: (
      <div className="page">
        <Button>New deposit</Button>
      </div>
    ),
  })
  await fill(field, 'logout')
  await waitFor(() => expect(offered()).toEqual(['Sign out']))
  await fill(field, 'new dep')
  await waitFor(() => expect(offered()).toEqual(['New deposit']))
})

test('the palette shows the keys on request', async () => {
  const { field, shown } = await open()
  await fill(field, 'keys')
  await waitFor(() => expect(marked()).toBe('Help and keys'))
  await keys('{Enter}')
  await waitFor(() => expect(shown).toEqual(['keys']))
})

test.each([
  ['viewer', 'viewer', false, ['New deposit', 'API keys']],
  ['operator', 'operator', false, ['API keys', 'Invite a colleague']],
  ['owner in a view', 'owner', true, ['New deposit', 'Sign out']],
] as const)('the palette offers a %s only what they may do', async (_, role, isView, not) => {
  await open({ role, isView })
  await waitFor(() => expect(offered()).toContain('Dashboard'))
  for (const words of not) expect(offered()).not.toContain(words)
})

test('the palette finds a word of the help by its meaning, and opens the help at it', async () => {
  const asked: unknown[] = []
  const end = offerHelp((term) => asked.push(term))
  const { field } = await open()
  await fill(field, 'partial settlement')
  await press(await screen.findByText('Settled in part'))
  await waitFor(() => expect(asked).toEqual(['partial']))
  end()
})

test('letters typed right after Ctrl-K all go into the palette, and none acts as a shortcut', async () => {
  const { server } = await renderPage(
    <CommandPalette me={meAs('manager')} isView={false} showKeys={() => undefined} />,
    {
      at: '/here',
      route: '/here',
      answers: { 'search.all': buildPage(hit()) },
    },
  )
  // the keys come before anything is drawn
  fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true })
  for (const key of 'gcx') fireEvent.keyDown(document.body, { key })
  fireEvent.keyDown(document.body, { key: 'Backspace' })
  expect(await screen.findByRole('textbox')).toHaveProperty('value', 'gc')
  await waitFor(() => expect(server.of('search.all').map(({ query }) => query)).toEqual([{ q: 'gc' }]))
})

test('a hit names states and platforms as their lists do, whatever the interface calls them', async () => {
  const money = hit({
    id: 'wdr_1',
    kind: 'withdrawal',
    title: '1944.50 EUR',
    facts: [
      { is: 'text', value: 'Ana Lima' },
      { is: 'status', value: 'requested' },
      { is: 'note', value: 'BA-1' },
    ],
  })
  const account = hit({ id: 'acc_1', kind: 'account', title: '77001', facts: [{ is: 'platform', value: 'terminal5' }] })
  const lead = hit({ id: 'led_1', kind: 'lead', title: 'Bo Berg', facts: [{ is: 'status', value: 'new' }] })
  const { field } = await open({ answers: { 'search.all': buildPage(money, account, lead) } })
  await fill(field, '1944.50')
  await waitFor(() => expect(offered()).toContain('1,944.50 EURAna Lima · To approve · BA-1'))
  expect(offered()).toContain('77001Terminal 5')
  expect(offered()).toContain('Bo BergNew')
})

test('the palette offers the acts of the open page, also those of its menu, and the parts of pages', async () => {
  const done: string[] = []
  const { field } = await open({
    page: (
      <Page
        title="Record"
        actions={
          <>
            <Button onClick={() => void done.push('approve')}>Approve</Button>
            <Button disabled>Reject</Button>
            <MoreMenu
              wide
              label="More"
              actions={[{ label: 'Delete record', onClick: () => void done.push('delete') }]}
            />
          </>
        }
      >
        <Select label="Assigned to" data={['Mia']} />
      </Page>
    ),
  })
  expect(offered().slice(0, 3)).toEqual(['Approve', 'Assigned to', 'Delete record'])
  expect(offered()).not.toContain('Reject')
  await fill(field, 'delete rec')
  await waitFor(() => expect(marked()).toBe('Delete record'))
  await keys('{Enter}')
  await waitFor(() => expect(done).toEqual(['delete']))
  await keys('{Control>}k{/Control}')
  await fill(await screen.findByRole('textbox', { name: 'Search people, numbers and pages' }), 'cohorts')
  await waitFor(() => expect(offered()).toContain('Reports › Cohorts'))
})
