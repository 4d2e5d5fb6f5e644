import { expect, test } from 'bun:test'
import { holdsCardNumber, holdsPrintedCard, shortCard, withoutCardNumbers } from './card-numbers.ts'

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  'VISA 4111111111111111, exp 12/29',
  '4111  1111  1111  1111',
  '4111 1111 1111 1111 12/29 123',
  '4111111111111111 12/29',
  '2026-11-26 4111111111111111',
  'card 4111 1111 1111 1111 12 of the client',
  '4111 - 1111 - 1111 - 1111',
  '4111.1111.1111.1111',
  '٤١١١ ١١١١ ١١١١ ١١١١',
  '４１１１１１１１１１１１１１１１',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111 1111 1111\u200b 1111',
  '5555555555554444',
  '2223003122003222',
  '3782 822463 10005',
  '3056 930902 5904',
  '6011111111111117',
  '3530111333300000',
  '6200000000000005',
  '2200000000000053',
  '6304000000000000',
  'DE89 3704 0044 0532 0130 00 or 4111111111111111',
])('a card number is found in %j', (text) => expect(holdsCardNumber(text)).toBe(true))

test.each([
  'Visa 1111',
  '4111111111111112',
  '1234567812345670',
  'AT611904300234573201',
  'GB29 NWBK 6016 1331 9268 19 for the rent',
  'paid 2026-11-26 14:50, batch 20261126-14500001',
  'WIRE-2041-4471',
  '41111111111111110000000',
  '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
  '0x52816c6894291422780c78fe370bac89f292f93e',
  '63b62126-2189-4281-89f1-79e8d2fb0006',
  'called from +4915963894071',
  '65612936 03752964',
  'DE43 6000 3656 2838 9287 80',
  '41 4069 5697 0088 8930 6692 6653',
  '50100040169937',
  'PK16 BAHL 5520 0981 0021 1402',
])('no card number is found in %j', (text) => {
  expect(holdsCardNumber(text)).toBe(false)
  expect(withoutCardNumbers(text)).toBe(text)
})

test('an account or a payment reference counts as a card only if it is written like one', () => {
  // a Swedish payment reference, a Mexican and a Chinese account
  for (const text of ['4759560990265801', '646180385526624603', '6200000000000005'])
    expect(holdsPrintedCard(text)).toBe(false)
  for (const text of ['4111 1111 1111 1111', '3782-822463-10005']) expect(holdsPrintedCard(text)).toBe(true)
})

test('a text that must be kept keeps scheme and last four digits of its cards', () => {
  expect(withoutCardNumbers('Card 4111 1111 1111 1111 and 5555555555554444 declined')).toBe(
    'Card Visa 1111 and Mastercard 4444 declined',
  )
})

test('a card is reduced to its scheme and last four digits, however they are written', () => {
  for (const text of ['Visa 4242', ' Visa •••• 4242', 'Visa **** 4242', 'Visa XXXX-4242'])
    expect(shortCard(text)).toBe('Visa 4242')
  expect(shortCard('4242')).toBe('4242')
  for (const text of ['4111111111111111', 'Visa 42424', '411111******1111', 'tok_1', 'Visa'])
    expect(shortCard(text)).toBeUndefined()
})

test('card numbers are found in a very long text of digits', () => {
  for (const piece of ['4', '4112 ', '1234-', 'DE89 ', 'AB12'])
    expect(holdsCardNumber(piece.repeat(20_000))).toBe(false)
})
