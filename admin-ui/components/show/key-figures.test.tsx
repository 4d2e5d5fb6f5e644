import { expect, test } from 'bun:test'
import { press, renderPage, screen, seen, within } from '../../testing/render.tsx'
import { KeyFigures, Sums } from './key-figures.tsx'

const sums = (...currencies: string[]) => currencies.map((currency) => ({ currency, amount: '1234.50' }))

test('a figure links to the tab with its rows', async () => {
  const { address } = await renderPage(
    <KeyFigures label="Figures" items={[{ label: 'Tickets', value: 3, tab: 'tickets' }]} />,
    {
      at: '/client',
      route: '/client',
    },
  )
  await press(await seen('link', 'Tickets'))
  expect(address()).toBe('/client?tab=tickets')
})

test.each([
  [sums(), 'None', null],
  [sums('EUR'), '1,234.50 EUR', null],
  [sums('EUR', 'USD'), '1,234.50 EUR1,234.50 USD', null],
  [sums('EUR', 'USD', 'JPY', 'CHF'), '1,234.50 EUR1,234.50 USD', '+2 more'],
])('amounts of different currencies are listed and not added up: %p', async (given, words, rest) => {
  await renderPage(<KeyFigures label="Figures" items={[{ label: 'Paid', value: <Sums sums={given} none="None" /> }]} />)
  const figure = within(await screen.findByLabelText('Figures'))
  expect(figure.getByRole('definition').textContent).toStartWith(words)
  if (rest === null) expect(figure.queryByRole('button')).toBeNull()
  else expect(figure.getByRole('button').textContent).toBe(rest)
})
