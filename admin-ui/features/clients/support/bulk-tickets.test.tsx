import { expect, test } from 'bun:test'
import { useState } from 'react'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, ticket } from '../../../testing/samples.ts'
import type { Done } from './bulk-tickets.api.ts'
import { BulkTickets, type ChosenTickets, UndoTickets } from './bulk-tickets.tsx'
import type { NamedTicket } from './support.api.ts'

const row = (with_: Partial<NamedTicket>): NamedTicket => ({ ...ticket(), traderName: 'Ana Lima', ...with_ })
const three = [
  row({ id: 'tic_1', subject: 'One', version: 4, assignedTo: 'usr_marco' }),
  row({ id: 'tic_2', subject: 'Two', version: 5 }),
  row({ id: 'tic_3', subject: 'Three', version: 6, assignedTo: 'usr_me', status: 'resolved' }),
]
type WithUndoProps = { chosen: ChosenTickets; onClose: () => void }
const WithUndo = (props: WithUndoProps) => {
  const [done, setDone] = useState<Done | null>(null)
  return (
    <>
      {done && done.tickets.length > 0 && <UndoTickets done={done} onDone={() => setDone(null)} />}
      <BulkTickets {...props} onChanged={setDone} />
    </>
  )
}
const open = async (act: ChosenTickets['act'], answers: Answers = {}) => {
  const heard: string[] = []
  const drawn = await renderPage(
    <WithUndo
      chosen={{ act, rows: three, settle: (results) => heard.push(`left ${results.filter(({ ok }) => !ok).length}`) }}
      onClose={() => heard.push('closed')}
    />,
    {
      at: '/support',
      route: '/support',
      role: 'operator',
      answers: {
        'auth.me': meAs('operator'),
        'support.tickets.update': ({ params }) => ticket({ id: params.id ?? '', version: 40 }),
        'support.tickets.close': ({ params }) => ticket({ id: params.id ?? '', version: 50 }),
        ...answers,
      },
    },
  )
  return { ...drawn, heard }
}

test('a bulk assignment sends each ticket with its version, except those that the assignee has already', async () => {
  const { server, heard } = await open('assign')
  await seen('dialog', 'Assign 3 tickets')
  expect(screen.getByText('1 has that assignee already.')).toBeDefined()
  await pressButton('Assign')
  expect(await screen.findByText('2 tickets assigned.')).toBeDefined()
  expect(server.of('support.tickets.update').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['tic_1', { assignedTo: 'usr_me' }, '"4"'],
    ['tic_2', { assignedTo: 'usr_me' }, '"5"'],
  ])
  expect(heard).toEqual(['left 0', 'closed'])
})

test('Undo gives back exactly the tickets that a bulk assignment changed', async () => {
  const { server } = await open('assign')
  await pressButton('Assign')
  await screen.findByText('2 tickets assigned.')
  const before = server.of('support.tickets.update').length
  await pressButton('Undo')
  expect(await screen.findByText('2 tickets are as they were before.')).toBeDefined()
  expect(
    server
      .of('support.tickets.update')
      .slice(before)
      .map(({ params, body, ifMatch }) => [params.id, body, ifMatch]),
  ).toEqual([
    ['tic_1', { assignedTo: 'usr_marco' }, '"40"'],
    ['tic_2', { assignedTo: null }, '"40"'],
  ])
})

test('a bulk assignment shows the result of each ticket if one is refused', async () => {
  await open('assign', {
    'support.tickets.update': ({ params }) =>
      params.id === 'tic_2' ? refusal(412, 'version_mismatch', 'It was changed meanwhile.') : ticket({ version: 40 }),
  })
  await press(await seen('combobox', 'To'))
  await press(await seen('option', 'Marco Bianchi'))
  await pressButton('Assign')
  const results = within(await seen('dialog', 'Assign 3 tickets'))
  expect((await results.findByRole('row', { name: /^Two/ })).textContent).toContain('It was changed meanwhile.')
  expect(results.getByRole('row', { name: /^One/ }).textContent).toContain('Unchanged')
  expect(results.getByRole('row', { name: /^Three/ }).textContent).toContain('Assigned')
})

test('resolving several tickets leaves out a closed one, and closing them for good leaves out none', async () => {
  const { server, heard } = await open('close')
  await seen('dialog', 'Close 2 tickets')
  expect(screen.getByText('1 is left out: it is closed.')).toBeDefined()
  await press(await seen('radio', 'Close for good'))
  await seen('dialog', 'Close 3 tickets')
  await pressButton('Close for good')
  expect(await screen.findByText('3 tickets closed.')).toBeDefined()
  expect(server.of('support.tickets.close').map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
    [{ status: 'closed' }, '"4"'],
    [{ status: 'closed' }, '"5"'],
    [{ status: 'closed' }, '"6"'],
  ])
  await waitFor(() => expect(heard).toEqual(['left 0', 'closed']))
})

test('tickets that were closed together are opened again over the versions that closing made', async () => {
  const { server } = await open('close', {
    'support.tickets.reopen': ({ params }) =>
      params.id === 'tic_2' ? refusal(412, 'version_conflict', 'It was changed meanwhile.') : ticket(),
  })
  await pressButton('Mark as resolved')
  await screen.findByText('2 tickets closed.')
  await pressButton('Open again')
  expect(await screen.findByText('1 ticket is open again. 1 changed meanwhile and stays.')).toBeDefined()
  expect(await screen.findByText('Not undone: Two.')).toBeDefined()
  expect(server.of('support.tickets.reopen').map(({ params, ifMatch }) => [params.id, ifMatch])).toEqual([
    ['tic_1', '"50"'],
    ['tic_2', '"50"'],
  ])
})

test('several tickets get another priority, except those that have it, and Undo gives the former ones back', async () => {
  const { server } = await open('priority')
  await press(await seen('combobox', 'Priority'))
  await press(await seen('option', 'Urgent'))
  await pressButton('Change priority')
  expect(await screen.findByText('3 tickets have another priority.')).toBeDefined()
  await pressButton('Undo')
  expect(await screen.findByText('3 tickets are as they were before.')).toBeDefined()
  expect(server.of('support.tickets.update').map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
    [{ priority: 'urgent' }, '"4"'],
    [{ priority: 'urgent' }, '"5"'],
    [{ priority: 'urgent' }, '"6"'],
    [{ priority: 'normal' }, '"40"'],
    [{ priority: 'normal' }, '"40"'],
    [{ priority: 'normal' }, '"40"'],
  ])
})
