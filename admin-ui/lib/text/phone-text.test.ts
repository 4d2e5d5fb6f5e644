import { expect, test } from 'bun:test'
import { phoneText } from './phone-text.ts'

test.each([
  ['+442079460011', '+44 207 946 0011'],
  ['+12125550100', '+1 212 555 0100'],
  ['+35799123456', '+357 991 23456'],
  ['+819043181194', '+81 904 318 1194'],
  ['•••3456', '•••3456'],
  ['0151 1234', '0151 1234'],
])('the phone number %s is shown as %s', (phone, shown) => {
  expect(phoneText(phone)).toBe(shown)
})
