import { expect, test } from 'bun:test'
import { csvText } from './csv-text.ts'

test('reads UTF-8, with its mark or without', () => {
  expect(csvText(new TextEncoder().encode('Müller,Łódź'))).toBe('Müller,Łódź')
  expect(csvText(new TextEncoder().encode('\uFEFFName'))).toBe('Name')
})

test("reads Excel's Windows-1252", () => {
  const bytes = Uint8Array.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x2c, 0x80, 0x93, 0x94])
  expect(csvText(bytes)).toBe('Müller,€“”')
})
