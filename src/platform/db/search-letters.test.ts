import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { foldLetters, globbing, plainLetters, plainLettersSql } from './search-letters.ts'

const TEXTS = [
  'Łukasz Søren ĐORĐE Işık Weiß Lœwe ʿAlī',
  'Γεώργιος ΐς',
  'Алёна Їжак й',
  'مُحَمَّد عـلي أحمد فاطمة',
  'פְּרֶץ',
  'plain',
]

test('the triggers of the schema replace the same letters as the search', () => {
  const plain = plainLettersSql(`concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email)`)
  // inserting and changing a client, and a lead
  expect(readFileSync('migrations/0005_lists_and_figures.sql', 'utf8').split(plain)).toHaveLength(5)
  const db = new Database(':memory:')
  for (const text of TEXTS)
    expect<unknown>(db.query(`SELECT ${plainLettersSql('?1')} AS plain`).get(text)).toEqual({
      plain: plainLetters(text),
    })
})

test('folding makes small letters of the usual width, without accents', () => {
  expect(TEXTS.map(foldLetters)).toEqual([
    'lukasz soren dorde isik weiss loewe ali',
    'γεωργιος ισ'.replace(/ς/g, 'σ'),
    'алена іжак и',
    'محمد علي احمد فاطمه',
    'פרץ',
    'plain',
  ])
  expect(foldLetters('Ｔａｎａｋａ ﾀﾞﾅｶ')).toBe('tanaka タナカ')
})

test.each([
  ['lukasz', 'Łukasz', true],
  ['ŁUKASZ', 'lukasz', true],
  ['zoe', 'ZOË', true],
  ['γεωργ', 'Γεώργιος', true],
  ['50% [x]*?', 'is 50% [X]*?', true],
  ['50% [x]*?', 'is 50% [x]ab', false],
  ['a', 'b', false],
])('the search pattern made from “%s” finds “%s”: %p', (text, row, found) => {
  const db = new Database(':memory:')
  expect<unknown>(db.query('SELECT ?1 GLOB ?2 AS found').get(row, `*${globbing(text)}*`)).toEqual({
    found: Number(found),
  })
})
