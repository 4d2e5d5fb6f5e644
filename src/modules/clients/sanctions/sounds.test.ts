import { expect, test } from 'bun:test'
import { isSyllables, koreanForms } from './korean-names.ts'
import { consonantSimilarity, listBeginnings, vowelsAgree } from './sounds.ts'

test('exchanging two consonants costs less if one is often written for the other', () => {
  for (const [one, other, alike] of [
    ['bn', 'bn', 1],
    ['Bn', 'bn', 0.95],
    ['pn', 'bn', 0.8],
    ['mn', 'bn', 0.5],
    ['bhn', 'bn', 0.9],
    ['bn', 'bvn', 0.9],
    ['abn', 'bn', 0.9],
    ['bln', 'bn', 2 / 3],
    ['bn', 'bln', 2 / 3],
    ['', 'bn', 0],
    ['bn', '', 0],
  ] as const)
    expect(consonantSimilarity(one, other)).toBeCloseTo(alike, 9)
})

test('a word begins with its first two consonants, in each way in which they may sound', () => {
  for (const [consonants, beginnings] of [
    ['', ['']],
    ['bdg', ['bd']],
    ['bhvd', ['b']],
    ['bhd', ['bd']],
    ['xhvd', ['k', 'h']],
    ['xdn', ['kd', 'hd']],
    ['xhd', ['kd', 'hd']],
    ['bxvd', ['bk', 'b']],
    ['bxd', ['bk', 'bd']],
    ['jhvd', ['s', 'k', 'a']],
    ['jhd', ['sd', 'kd', 'ad']],
    ['jdn', ['sd', 'kd', 'ad']],
  ] as const)
    expect([consonants, listBeginnings(consonants)]).toEqual([consonants, [...beginnings]])
})

test('vowels agree if they sound alike, if either is “any”, or if one word omits an i in its middle', () => {
  for (const [one, other, agree] of [
    ['-u-', '-u-', true],
    ['-ua-', '-ea-', true],
    ['-ea-', '-ua-', true],
    ['uua-', 'aua-', false],
    ['-ua-', '-oa-', false],
    ['u-a', 'uia', true],
    ['u-a-', 'uia-', true],
    ['uia-', 'u-a-', true],
    ['u-a-', 'uua-', false],
    ['uua-', 'u-a-', false],
    ['uia-', 'uaa-', false],
    ['uaa-', 'uia-', false],
    ['ua-', 'uai', false],
    ['uai', 'ua-', false],
    ['ua--', 'ua-', false],
    // both words have one syllable
    ['-e-', '-i-', false],
  ] as const)
    expect([one, other, vowelsAgree(one, other)]).toEqual([one, other, agree])
})

test('a Latin name of two to four words may be Korean, with its family at either end', () => {
  const forms = (...words: string[]) => koreanForms(words.join(' '), words)
  expect(forms('kim')).toEqual([])
  expect(forms('kim', 'un')).toEqual(['kimun', 'unkim'])
  expect(forms('kim', 'min', 'su', 'han')).toEqual(['kimminsuhan', 'hankimminsu'])
  expect(forms('kim', 'min', 'su', 'han', 'il')).toEqual([])
  expect([isSyllables(['kim', 'min']), isSyllables(['kim', 'min', 'su'])]).toEqual([false, true])
})
