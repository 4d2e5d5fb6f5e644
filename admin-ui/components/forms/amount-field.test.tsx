import { expect, test } from 'bun:test'
import { useState } from 'react'
import { RATE } from '../../lib/text/amount-text.ts'
import { fill, keys, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { AmountField } from './amount-field.tsx'

let held = ''
const Field = ({ currency = 'EUR', value = '' }: { currency?: string; value?: string }) => {
  const [amount, setAmount] = useState(value)
  held = amount
  return (
    <>
      <AmountField label="Amount" currency={currency} value={amount} onChange={setAmount} />
      <button type="button" onClick={() => setAmount('')}>
        Reset
      </button>
    </>
  )
}
/** Draws the field beside a choice of the currency. */
const Both = () => {
  const [currency, setCurrency] = useState('EUR')
  return (
    <>
      <Field currency={currency} />
      <button type="button" onClick={() => setCurrency('JPY')}>
        Yen
      </button>
    </>
  )
}
const Rate = () => {
  const [value, setValue] = useState('')
  held = value
  return (
    <AmountField
      label="Rate"
      kind={RATE}
      value={value}
      onChange={setValue}
      describeAmount={(text) => `1 EUR is ${text} USD`}
    />
  )
}
const field = (): Promise<HTMLElement> => screen.findByLabelText('Amount')

test.each([
  ['1250', '1250.00', '= 1,250.00 EUR'],
  ['1,250.00', '1250.00', '= 1,250.00 EUR'],
  ['1.250,00', '1250.00', '= 1,250.00 EUR'],
  ['1 250,5', '1250.50', '= 1,250.50 EUR'],
  ['1’250.50', '1250.50', '= 1,250.50 EUR'],
  ['1,000,000', '1000000.00', '= 1,000,000.00 EUR'],
  ['0,5', '0.50', '= 0.50 EUR'],
  ['.5', '0.50', '= 0.50 EUR'],
  ['007', '7.00', '= 7.00 EUR'],
])('the amount “%s” is read as %s, and shown below the field', async (typed, amount, words) => {
  await renderPage(<Field />)
  await fill(await field(), typed)
  expect(held).toBe(amount)
  expect(screen.getByText(words)).toBeDefined()
})

test.each([
  ['12x', /not an amount/],
  ['1.2.3', /not an amount/],
  ['1,23,456', /not an amount/],
  ['1.2345', 'At most 2 decimals'],
  ['12345678901234567', 'This is more than can be booked'],
])('the text “%s” is refused as an amount', async (typed, why) => {
  await renderPage(<Field />)
  await fill(await field(), typed)
  expect(held).not.toMatch(/^-?\d+(\.\d+)?$/)
  expect(screen.getByText(why)).toBeDefined()
})

test('“1.250” may be two amounts in a currency of three decimals, so the field offers both to press', async () => {
  await renderPage(<Field currency="KWD" />)
  await fill(await field(), '1.250')
  expect(await seen('group', 'Which one is meant?')).toBeDefined()
  expect(held).not.toBe('1250.000')
  await pressButton('1,250.00')
  expect(held).toBe('1250.000')
  expect(await field()).toHaveProperty('value', '1,250.000')
  expect(screen.queryByRole('group')).toBeNull()
})

test('euro have two decimals, so three digits behind a comma are thousands without a question', async () => {
  await renderPage(<Field />)
  await fill(await field(), '1,920')
  expect(held).toBe('1920.00')
  expect(screen.queryByRole('group')).toBeNull()
})

test('yen has no decimals, so three digits behind a point are thousands', async () => {
  await renderPage(<Field currency="JPY" />)
  await fill(await field(), '1.250')
  expect(held).toBe('1250')
})

test('after a change of currency, the typed digits are read with the decimals of the new one', async () => {
  await renderPage(<Both />)
  await fill(await field(), '1250')
  expect(held).toBe('1250.00')
  await pressButton('Yen')
  await waitFor(() => expect(held).toBe('1250'))
})

test('an amount field prints its amount when it is left', async () => {
  await renderPage(<Field />)
  await fill(await field(), '1250,5')
  await keys('{Tab}')
  expect(await field()).toHaveProperty('value', '1,250.50')
  expect(held).toBe('1250.50')
})

test('a form that is reset empties the field', async () => {
  await renderPage(<Field value="10.00" />)
  expect(await field()).toHaveProperty('value', '10.00')
  await pressButton('Reset')
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
  expect(screen.queryByText(/^= /)).toBeNull()
})

test('a rate keeps its decimals and is shown as a sentence', async () => {
  await renderPage(<Rate />)
  await fill(await screen.findByLabelText('Rate'), '1,08455')
  expect(held).toBe('1.08455')
  expect(screen.getByText('1 EUR is 1.08455 USD')).toBeDefined()
})
