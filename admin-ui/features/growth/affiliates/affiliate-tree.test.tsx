import { expect, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { AffiliateTree, inOrder } from './affiliate-tree.tsx'
import type { TreeNode } from './affiliates.api.ts'

const node = (id: string, name: string, parentId: string | null, depth: number): TreeNode => ({
  id,
  name,
  parentId,
  depth,
  code: id.toUpperCase(),
  status: 'active',
  clients: 2,
})
const TREE: Answer<'affiliates.tree'> = {
  data: [
    node('aff_1', 'North', null, 0),
    node('aff_2', 'West', 'aff_1', 1),
    node('aff_3', 'Coast', 'aff_2', 2),
    node('aff_4', 'East', 'aff_1', 1),
  ],
  truncated: false,
}

const openTree = (answers: Answers = {}, role: Role = 'manager') =>
  renderPage(<AffiliateTree id="aff_1" />, {
    at: '/affiliates/aff_1',
    route: '/affiliates/$id',
    role,
    answers: { 'auth.me': meAs(role), 'affiliates.tree': TREE, ...answers },
  })

test('a branch of affiliates is moved by its buttons, but not below itself nor to its present place', async () => {
  const { server } = await openTree({
    'affiliates.get': Response.json({ id: 'aff_2', version: 7 }),
    'affiliates.update': Response.json({ id: 'aff_2', version: 8 }),
  })
  await pressButton('Move West')
  expect(await screen.findByText('West and everybody below: choose where to put them.')).toBeDefined()
  const places = screen.getAllByRole('button', { name: 'Put here' })
  expect(places.map((place) => place.closest('li')?.textContent?.startsWith('East'))).toEqual([true])
  await press(places[0] ?? document.body)
  await press(within(await seen('dialog', 'Move this branch?')).getByRole('button', { name: 'Move' }))
  await waitFor(() =>
    expect(server.of('affiliates.update')[0]).toMatchObject({
      params: { id: 'aff_2' },
      body: { parentId: 'aff_4' },
      ifMatch: '"7"',
    }),
  )
})

test('a branch of affiliates that was taken can be left in its place', async () => {
  const { server } = await openTree()
  await pressButton('Move Coast')
  await pressButton('Leave them')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Put here' })).toBeNull())
  expect(server.of('affiliates.update')).toEqual([])
})

test('an operator moves no affiliate', async () => {
  await openTree({}, 'operator')
  expect(await seen('link', 'West')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
})

/** Takes West and puts it below East, until the question is shown. */
const askMove = async (): Promise<void> => {
  await pressButton('Move West')
  await pressButton('Put here')
  await seen('dialog', 'Move this branch?')
}
const confirmMove = async (): Promise<void> =>
  press(within(await seen('dialog', 'Move this branch?')).getByRole('button', { name: 'Move' }))

test('a move of a branch that got no answer is sent again with the version that was read first', async () => {
  let [times, version] = [0, 7]
  const { server } = await openTree({
    'affiliates.get': () => Response.json({ id: 'aff_2', version: version++ }),
    'affiliates.update': () => (++times === 1 ? noAnswer() : Response.json({ id: 'aff_2', version: 8 })),
  })
  await askMove()
  await confirmMove()
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  await confirmMove()
  expect(await screen.findByText(/^Moved\./)).toBeDefined()
  expect(server.of('affiliates.update').map(({ ifMatch }) => ifMatch)).toEqual(['"7"', '"7"'])
})

test('a branch that a colleague changed meanwhile is not moved, and the tree is read again', async () => {
  const { server } = await openTree({
    'affiliates.get': Response.json({ id: 'aff_2', version: 7 }),
    'affiliates.update': refusal(412, 'version_mismatch', 'A colleague changed it.'),
  })
  await askMove()
  await confirmMove()
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  const before = server.of('affiliates.tree').length
  await pressButton('Load the current version')
  await waitFor(() => expect(server.of('affiliates.tree').length).toBeGreaterThan(before))
})

test('a branch that is dropped onto another affiliate asks first; onto one of its own it does nothing', async () => {
  const { server } = await openTree({ 'affiliates.get': Response.json({ id: 'aff_2', version: 7 }) })
  await seen('link', 'West')
  const item = (name: string): Element => screen.getByText(name).closest('li') ?? document.body
  fireEvent.dragStart(item('West'))
  fireEvent.drop(item('Coast'))
  expect(screen.queryAllByRole('dialog')).toEqual([])
  fireEvent.dragStart(item('West'))
  fireEvent.dragOver(item('East'))
  fireEvent.drop(item('East'))
  expect((await seen('dialog', 'Move this branch?')).textContent).toContain('West, with everybody below')
  expect(server.of('affiliates.update')).toEqual([])
})

test('the tree lists each affiliate before those below, in whatever order they were read', () => {
  expect(inOrder(TREE.data.toReversed()).map(({ name }) => name)).toEqual(['North', 'East', 'West', 'Coast'])
})
