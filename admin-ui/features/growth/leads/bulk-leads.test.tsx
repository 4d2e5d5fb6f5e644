import { expect, test } from 'bun:test'
import { type ReactNode, useState } from 'react'
import type { Settle } from '../../../components/lists/list-acts.tsx'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { keys, press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { BulkAssign } from './bulk-assign.tsx'
import type { LeadUndo } from './bulk-leads.api.ts'
import { type BulkLeadsProps, MoveLeads, RemoveLeads, UndoLeads } from './bulk-leads.tsx'
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
type WithUndoProps = Omit<BulkLeadsProps, 'onUndo'> & { form: (props: BulkLeadsProps) => ReactNode }
const WithUndo = ({ form: Form, ...props }: WithUndoProps) => {
  const [undo, setUndo] = useState<LeadUndo | null>(null)
  return (
    <>
      {undo && <UndoLeads undo={undo} onDone={() => setUndo(null)} />}
      <Form {...props} onUndo={setUndo} />
    </>
  )
}
/** `heard` has the ids of the rows that stay chosen, and whether the form was closed. */
const open = async (form: WithUndoProps['form'], rows: Lead[], answers: Answers = {}) => {
  const heard: (string[] | 'closed')[] = []
  const settle: Settle = (results) => void heard.push(results.flatMap(({ id, ok }) => (ok ? [] : [id])))
  const drawn = await renderPage(
    <WithUndo form={form} asked={{ rows, settle }} onClose={() => void heard.push('closed')} />,
    { role: 'manager', answers },
  )
  return { ...drawn, heard, form: within(await seen('dialog', /^(Assign|Move|Remove)/)) }
}
const two = [lead('led_1', { firstName: 'Sara' }), lead('led_2')]

test('several leads are assigned to one colleague at once, and each shows its result', async () => {
  const results = [
    { id: 'led_1', ok: true, version: 3, assignedBefore: 'usr_me' },
    { id: 'led_2', ok: false, message: 'It is a client already' },
  ]
  const { server, form, heard } = await open(BulkAssign, two, {
    'leads.bulkAssign': Response.json({ results, succeeded: 1, failed: 1 }),
  })
  expect(screen.getByRole('dialog', { name: 'Assign 2 leads' })).toBeDefined()
  await press(form.getByRole('combobox', { name: 'To' }))
  await press(await seen('option', 'Marco Bianchi'))
  await press(form.getByRole('button', { name: 'Assign' }))
  const shown = within(await seen('dialog', 'Assign 2 leads'))
  expect((await shown.findByRole('row', { name: /^\+971500000000/ })).textContent).toContain('It is a client already')
  expect(server.of('leads.bulkAssign').map(({ body }) => body)).toEqual([
    { ids: ['led_1', 'led_2'], assignedTo: 'usr_marco' },
  ])
  expect(heard).toEqual([['led_2']])
})

test('an assignment to nobody takes leads from their present colleagues', async () => {
  const { server, form, heard } = await open(BulkAssign, [two[0] ?? lead('led_1')], {
    'leads.bulkAssign': Response.json({ results: [{ id: 'led_1', ok: true }], succeeded: 1, failed: 0 }),
  })
  expect(screen.getByRole('dialog', { name: 'Assign this lead' })).toBeDefined()
  await press(form.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(server.of('leads.bulkAssign')[0]?.body).toEqual({ ids: ['led_1'], assignedTo: null }))
  // a lead that nobody had before is not changed, so there is nothing to undo
  await waitFor(() => expect(heard).toEqual([[], 'closed']))
})

test('a refused assignment is shown in the form, and the chosen rows stay', async () => {
  const { form, heard } = await open(BulkAssign, two, {
    'leads.bulkAssign': refusal(403, 'forbidden', 'Only a manager assigns leads.'),
  })
  await press(form.getByRole('button', { name: 'Assign' }))
  expect(await form.findByText('Only a manager assigns leads.')).toBeDefined()
  expect(heard).toEqual([])
})

test('Undo gives each lead back to whoever had it, and names a lead that a colleague has changed since', async () => {
  const results = [
    { id: 'led_1', ok: true, version: 3, assignedBefore: 'usr_me' },
    { id: 'led_2', ok: true, version: 7, assignedBefore: null },
  ]
  const { server, form } = await open(BulkAssign, two, {
    'leads.bulkAssign': Response.json({ results, succeeded: 2, failed: 0 }),
    'leads.update': ({ params }) =>
      params.id === 'led_2' ? refusal(412, 'version_conflict', 'Changed since') : lead('led_1'),
  })
  await press(form.getByRole('button', { name: 'Assign' }))
  expect(await screen.findByText('2 leads assigned.')).toBeDefined()
  await press(await seen('button', 'Undo'))
  expect(await screen.findByText('1 lead is as it was before. 1 changed meanwhile and stays.')).toBeDefined()
  expect(server.of('leads.update').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['led_1', { assignedTo: 'usr_me' }, '"3"'],
    ['led_2', { assignedTo: null }, '"7"'],
  ])
  expect(await screen.findByText('Not undone: +971500000000.')).toBeDefined()
})

test('several leads are moved, except one that cannot move there, and Undo moves them back', async () => {
  const rows = [...two, lead('led_3', { status: 'junk' })]
  const { server, form, heard } = await open(MoveLeads, rows, {
    'leads.update': ({ params }) => lead(params.id ?? '', { version: 9 }),
  })
  await press(form.getByRole('combobox', { name: 'Move to' }))
  await press(await seen('option', 'Qualified'))
  expect(await screen.findByText('1 is left out: it cannot move there.')).toBeDefined()
  await press(form.getByRole('button', { name: 'Move' }))
  expect(await screen.findByText('2 leads are in Qualified now.')).toBeDefined()
  expect(heard).toEqual([[], 'closed'])
  await keys('{Control>}z{/Control}')
  expect(await screen.findByText('2 leads are as they were before.')).toBeDefined()
  expect(server.of('leads.update').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['led_1', { status: 'qualified' }, '"2"'],
    ['led_2', { status: 'qualified' }, '"2"'],
    ['led_1', { status: 'new' }, '"9"'],
    ['led_2', { status: 'new' }, '"9"'],
  ])
})

test('several leads are removed, the refused one stays chosen and says why, and Undo restores the others', async () => {
  const { server, form, heard } = await open(RemoveLeads, two, {
    'leads.delete': ({ params }) =>
      params.id === 'led_2' ? refusal(412, 'version_conflict', 'Changed since') : Response.json(null),
    'leads.restore': lead('led_1'),
  })
  await press(form.getByRole('button', { name: 'Remove' }))
  const shown = within(await seen('dialog', 'Remove 2 leads'))
  expect((await shown.findByRole('row', { name: /^\+971500000000/ })).textContent).toContain('Changed since')
  expect(heard).toEqual([['led_2']])
  await press(await seen('button', 'Undo'))
  expect(await screen.findByText('1 lead is as it was before.')).toBeDefined()
  expect(server.of('leads.restore').map(({ params }) => params.id)).toEqual(['led_1'])
})
