import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { conversion, rate } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { ConversionPreview } from './conversion-preview.tsx'
import { Converter } from './converter.tsx'
import type { Conversion } from './fx.api.ts'
import { PastRates } from './past-rates.tsx'

const RATE = { base: 'EUR', quote: 'USD', amount: '250.00' }
const preview = async (with_: Partial<Conversion> = {}) => {
  await renderPage(<ConversionPreview {...RATE} />, { answers: { 'fx.convert': conversion(with_) } })
  return (await screen.findByText(/^1 EUR = /)).textContent
}

test.each([
  [{ rate: '1.084500000000000000' }, '1 EUR = 1.0845 USD · Direct rate'],
  [{ rate: '0.000012345678901234' }, '1 EUR = 0.00001234 USD'],
  [{ rate: '65432.000000000000000000' }, '1 EUR = 65,432 USD'],
  [{ via: 'inverse' }, 'inverse of the rate'],
  [{ source: 'my_bank' }, '(My bank)'],
  [{ pool: null, source: null, asOf: null, via: 'same' }, '1 EUR = 1.0845 USD · Same currency'],
] satisfies [Partial<Conversion>, string][])('a conversion at %j shows: %s', async (with_, words) => {
  expect((await preview(with_))?.toLowerCase()).toContain(words.toLowerCase())
})

test.each([
  [{ amount: '' }, 'no amount'],
  [{ amount: '0.00' }, 'nothing'],
  [{ amount: '?1,5' }, 'an amount that could be two'],
  [{ quote: 'US' }, 'half a currency'],
])('the converter reads no rate for %j: %s', async (with_) => {
  const { server } = await renderPage(
    <>
      <ConversionPreview {...RATE} {...with_} />
      <ConversionPreview {...RATE} amount="7" />
    </>,
    { answers: { 'fx.convert': conversion() } },
  )
  // Both previews wait equally long. Once the second one shows its rate, the first one has decided not to ask.
  await screen.findByText(/^1 EUR = /)
  expect(server.of('fx.convert').length).toBe(1)
})

test('a pair without a rate shows the reason', async () => {
  await renderPage(<ConversionPreview {...RATE} />, {
    answers: { 'fx.convert': refusal(422, 'no_rate', 'There is no rate that leads from EUR to USD.') },
  })
  expect(await screen.findByText('There is no rate that leads from EUR to USD.')).toBeDefined()
})

const open = (answers: Answers = {}) =>
  renderPage(<Converter />, {
    at: '/rates',
    route: '/rates',
    answers: {
      'fx.convert': ({ query }) => conversion({ result: query.amount === '5.00' ? '5.42' : '1084.50' }),
      ...answers,
    },
  })

test('a typed amount is converted once the typing pauses', async () => {
  const { server } = await open()
  expect(await screen.findByText('1,084.50', { exact: false })).toBeDefined()
  await fill(await screen.findByLabelText(/^Amount/), '5')
  await waitFor(() => expect(screen.getByText('5.42', { exact: false })).toBeDefined())
  expect(server.of('fx.convert').map(({ query }) => query.amount)).not.toContain('')
  expect(server.of('fx.convert').at(-1)?.query).toMatchObject({
    amount: '5.00',
    base: 'EUR',
    quote: 'USD',
    for: 'staff',
  })
})

test('the converter can ask for the rate of a client who converts without staff', async () => {
  const { server } = await open()
  await screen.findByText('1,084.50', { exact: false })
  const [, alone] = await screen.findAllByRole('radio')
  await press(alone ?? document.body)
  await waitFor(() => expect(server.of('fx.convert')).toHaveLength(2))
  expect(server.of('fx.convert').map(({ query }) => query.for)).toEqual(['staff', 'client'])
})

test('rates of past days that cannot be read are not reported as missing', async () => {
  const { server } = await renderPage(<PastRates />, {
    answers: { 'fx.rates.list': refusal(422, 'broken', 'Not now.') },
  })
  await seen('button', 'Try again')
  server.now({ 'fx.rates.list': buildPage(rate({ since: '2026-10-01' })) })
  await pressButton('Try again')
  expect(await screen.findByText('EUR → USD')).toBeDefined()
})
