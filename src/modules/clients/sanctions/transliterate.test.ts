import { expect, test } from 'bun:test'
import anyAscii from 'any-ascii'
import { toAscii } from './transliterate.ts'

test('toAscii writes every code point as the package does', () => {
  const different: number[] = []
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point)
    if (toAscii(character) !== anyAscii(character)) different.push(point)
  }
  expect(different).toEqual([])
})

test.each(['', 'plain', 'Путин, Владимир', '习近平', 'محمد بن سلمان', '👨‍👩‍👧 Zoë', '\ud800 alone', 'a\ud83d'])(
  'toAscii writes “%s” as the package does',
  (text) => {
    expect(toAscii(text)).toBe(anyAscii(text))
  },
)
