import { expect, mock, test } from 'bun:test'
import { useState } from 'react'
import { act, keys, press, renderPage, screen, waitFor } from '../../testing/render.tsx'
import { SearchSelect } from './search-select.tsx'

const ALL = [
  { value: 'ana', label: 'Ana Lima' },
  { value: 'anton', label: 'Anton Meyer' },
]

const sent = mock(() => {})
let value: string | null = null

/** Draws a search whose hits arrive when the test presses the button: those of the text in the field. */
const Search = () => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [found, setFound] = useState({ text: '', data: ALL.slice(0, 0) })
  value = chosen
  const arrive = (): void =>
    setFound({ text, data: ALL.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
    >
      <SearchSelect
        label="Client"
        data={found.text === text ? found.data : []}
        text={text}
        onText={setText}
        isReady={found.text === text}
        value={chosen}
        onChange={setChosen}
      />
      <button type="button" onClick={arrive}>
        Arrive
      </button>
      <button type="submit">Send</button>
    </form>
  )
}

async function search() {
  sent.mockClear()
  await renderPage(<Search />)
  const field = await screen.findByRole('combobox', { name: 'Client' })
  act(() => field.focus())
  return { field, arrive: () => act(async () => screen.getByText('Arrive').click()) }
}

test('Enter takes the first hit that is shown', async () => {
  const { arrive } = await search()
  await keys('an')
  await arrive()
  await screen.findByText('Anton Meyer')
  await keys('{Enter}')
  await waitFor(() => expect(value).toBe('ana'))
  expect(sent).not.toHaveBeenCalled()
})

test('Enter pressed before the hits arrive takes the first one that arrives', async () => {
  const { arrive } = await search()
  await keys('ant{Enter}')
  expect(value).toBeNull()
  await arrive()
  await waitFor(() => expect(value).toBe('anton'))
  expect(sent).not.toHaveBeenCalled()
})

test('a hit of an earlier text is not taken for text typed after Enter', async () => {
  const { arrive } = await search()
  await keys('an{Enter}t')
  await arrive()
  await screen.findByText('Anton Meyer')
  expect(value).toBeNull()
})

test('Enter with a text that finds nobody does not send the form', async () => {
  const { arrive } = await search()
  await keys('zzz')
  await arrive()
  await keys('{Enter}')
  expect(value).toBeNull()
  expect(sent).not.toHaveBeenCalled()
})

test('the chosen name is shown in the search field', async () => {
  const { field, arrive } = await search()
  await keys('ana')
  await arrive()
  await press(await screen.findByText('Ana Lima'))
  expect(field).toHaveProperty('value', 'Ana Lima')
})
