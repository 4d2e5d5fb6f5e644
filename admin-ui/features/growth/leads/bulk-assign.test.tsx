import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Assignments } from './bulk-assign.api.ts'
import { BulkAssign, UndoAssign } from './bulk-assign.tsx'
import type { Lead } from './leads.api.ts'

const lead = (id: string, with_: Partial<Lead> = {}): Lead => ({
  ...blank('leads.get'),
  id,
  phone: '+971500000000',
  status: 'new',
  source: 'fair',
  version: 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...with_,
})
const open = async (rows: Lead[], answers: Answers = {}) => {
  const heard: (Assignments | 'closed')[] = []
  const drawn = await renderPage(
    <BulkAssign rows={rows} onResults={(done) => void heard.push(done)} onClose={() => void heard.push('closed')} />,
    { role: 'manager', answers },
  )
  return { ...drawn, heard, form: within(await seen('dialog', /^Assign/)) }
}
const two = [lead('led_1', { firstName: 'Sara' }), lead('led_2')]

test('several leads are assigned to one colleague at once, and each shows its result', async () => {
  const results = [
    { id: 'led_1', ok: true, version: 3, assignedBefore: 'usr_me' },
    { id: 'led_2', ok: false, message: 'It is a client already' },
  ]
  const { server, form, heard } = await open(two, {
    'leads.bulkAssign': Response.json({ results, succeeded: 1, failed: 1 }),
  })
  expect(screen.getByRole('dialog', { name: 'Assign 2 leads' })).toBeDefined()
  await press(form.getByRole('combobox', { name: 'To' }))
  await press(await seen('option', 'Marco Bianchi'))
  await press(form.getByRole('button', { name: 'Assign' }))
  const shown = within(await seen('dialog', 'Assigned'))
  expect(shown.getByRole('row', { name: /^\+971500000000/ }).textContent).toContain('It is a client already')
  expect(server.of('leads.bulkAssign').map(({ body }) => body)).toEqual([
    { ids: ['led_1', 'led_2'], assignedTo: 'usr_marco' },
  ])
  expect(heard).toEqual([[{ id: 'led_1', name: 'Sara', version: 3, assignedTo: 'usr_me' }]])
})

test('an assignment to nobody takes leads from their present colleagues', async () => {
  const { server, form, heard } = await open([two[0] ?? lead('led_1')], {
    'leads.bulkAssign': Response.json({ results: [{ id: 'led_1', ok: true }], succeeded: 1, failed: 0 }),
  })
  expect(screen.getByRole('dialog', { name: 'Assign this lead' })).toBeDefined()
  await press(form.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(server.of('leads.bulkAssign')[0]?.body).toEqual({ ids: ['led_1'], assignedTo: null }))
  // a lead that nobody had before is not changed, so there is nothing to undo
  await waitFor(() => expect(heard).toEqual([[], 'closed']))
})

test('a refused assignment is shown in the form, and the chosen rows stay', async () => {
  const { form, heard } = await open(two, {
    'leads.bulkAssign': refusal(403, 'forbidden', 'Only a manager assigns leads.'),
  })
  await press(form.getByRole('button', { name: 'Assign' }))
  expect(await form.findByText('Only a manager assigns leads.')).toBeDefined()
  expect(heard).toEqual([])
})

test('Undo gives each lead back to whoever had it, and names a lead that a colleague has changed since', async () => {
  const assignments: Assignments = [
    { id: 'led_1', name: 'Sara', version: 3, assignedTo: 'usr_me' },
    { id: 'led_2', name: 'Omar', version: 7, assignedTo: null },
  ]
  const done: true[] = []
  const { server } = await renderPage(<UndoAssign assignments={assignments} onDone={() => void done.push(true)} />, {
    role: 'manager',
    answers: {
      'leads.update': ({ params }) =>
        params.id === 'led_2' ? refusal(412, 'version_conflict', 'Changed since') : lead('led_1'),
    },
  })
  expect(screen.getByText('2 leads assigned.')).toBeDefined()
  await press(await seen('button', 'Undo'))
  await waitFor(() => expect(done).toHaveLength(1))
  expect(server.of('leads.update').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['led_1', { assignedTo: 'usr_me' }, '"3"'],
    ['led_2', { assignedTo: null }, '"7"'],
  ])
  expect(await screen.findByText('1 lead is as it was before. 1 changed meanwhile and stays.')).toBeDefined()
  expect(await screen.findByText('Not undone: Omar.')).toBeDefined()
})
