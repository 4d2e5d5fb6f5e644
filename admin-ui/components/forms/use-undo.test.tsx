import { expect, test } from 'bun:test'
import { Button } from '@mantine/core'
import { call } from '../../api.ts'
import { refusal } from '../../testing/answers.ts'
import { act, pressButton, renderPage, screen, waitFor } from '../../testing/render.tsx'
import { useUndo } from './use-undo.ts'

const Act = () => {
  const offerUndo = useUndo('leads')
  const undo = () => call('leads.update', { params: { id: 'led_1' }, body: { status: 'new' }, ifMatch: 4 })
  return <Button onClick={() => offerUndo('Lead moved', undo)}>Move</Button>
}
const takeBack = async (answer: Response) => {
  const { server } = await renderPage(<Act />, { answers: { 'leads.update': answer } })
  await pressButton('Move')
  expect(await screen.findByText('Lead moved')).toBeDefined()
  await pressButton('Undo')
  await waitFor(() => expect(server.of('leads.update')).toHaveLength(1))
  return server.of('leads.update')[0]
}

test('Undo sends the former value with the version that the action made', async () => {
  expect(await takeBack(Response.json({}))).toMatchObject({ body: { status: 'new' }, ifMatch: '"4"' })
  expect(await screen.findByText('It is as it was before.')).toBeDefined()
})

test('nothing is undone if a colleague has changed the record since, and the notice says so', async () => {
  await takeBack(refusal(412, 'version_conflict', 'It was changed meanwhile'))
  expect(await screen.findByText('A colleague has changed it since, so nothing was undone.')).toBeDefined()
})

test('another refusal of an undo is shown in its own words', async () => {
  await takeBack(refusal(403, 'forbidden', 'Your role may not do this.'))
  expect(await screen.findByText('Your role may not do this.')).toBeDefined()
})

test('a double click on Undo undoes only once', async () => {
  const { server } = await renderPage(<Act />, { answers: { 'leads.update': Response.json({}) } })
  await pressButton('Move')
  const undo = await screen.findByRole('button', { name: 'Undo' })
  act(() => {
    undo.click()
    undo.click()
  })
  expect(await screen.findByText('It is as it was before.')).toBeDefined()
  expect(server.of('leads.update')).toHaveLength(1)
})
