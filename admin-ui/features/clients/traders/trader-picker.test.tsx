import { expect, test } from 'bun:test'
import { useState } from 'react'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { TraderPicker } from './trader-picker.tsx'

const noor = trader({ id: 'trd_2', firstName: 'Noor', lastName: 'Darwish', email: null })
const Field = ({ onChoose }: { onChoose: (id: string | null) => void }) => {
  const [value, setValue] = useState<string | null>(null)
  return (
    <TraderPicker
      value={value}
      onChange={(next) => {
        onChoose(next)
        setValue(next)
      }}
    />
  )
}
const open = async (answers: Answers = {}) => {
  const chosen: (string | null)[] = []
  const drawn = await renderPage(<Field onChoose={(id) => void chosen.push(id)} />, {
    answers: { 'traders.list': buildPage(trader(), noor), ...answers },
  })
  return { ...drawn, chosen, field: await seen('combobox', 'Client') }
}

test('clients are offered by name and address, and the chosen one is sent by id', async () => {
  const { field, chosen } = await open()
  await press(field)
  expect(await seen('option', 'Ana Lima · ana@mail.example')).toBeDefined()
  await press(await seen('option', 'Noor Darwish'))
  expect(chosen).toEqual(['trd_2'])
  expect(field).toHaveProperty('value', 'Noor Darwish')
})

test('the search for a client sends the text as typed, without surrounding blanks', async () => {
  const { server, field } = await open({
    'traders.list': ({ query }) => (query.q === 'noor' ? buildPage(noor) : buildPage()),
  })
  await fill(field, ' noor ')
  expect(await seen('option', 'Noor Darwish')).toBeDefined()
  await waitFor(() => expect(server.of('traders.list').at(-1)?.query).toEqual({ q: 'noor', limit: '8' }))
})

test('Enter pressed before the answer takes the first client found for the text', async () => {
  const { field, chosen } = await open({
    'traders.list': ({ query }) => buildPage(query.q === 'noor' ? noor : trader()),
  })
  await fill(field, 'noor')
  await keys('{Enter}')
  await waitFor(() => expect(chosen).toEqual(['trd_2']))
})

test('the search for a client says that it found nobody', async () => {
  const { field } = await open({ 'traders.list': buildPage() })
  await fill(field, 'zz')
  expect(await screen.findByText('Nobody found')).toBeDefined()
})

test('a failed search for a client is not reported as none found', async () => {
  const { field } = await open({ 'traders.list': refusal(422, 'broken', 'The search does not work now.') })
  await fill(field, 'ana')
  expect(await screen.findByText('The search does not work now.')).toBeDefined()
  expect(screen.queryByText('Nobody found')).toBeNull()
})
