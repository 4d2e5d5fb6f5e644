import { expect, test } from 'bun:test'
import { suggestionsFor, wordBefore } from './completion.ts'

const column = (name: string) => ({ name, type: 'text' as const })
const schema = {
  tables: [
    { name: 'traders', columns: [column('id'), column('email'), column('status')] },
    { name: 'transfers', columns: [column('id'), column('state')] },
  ],
  functions: [{ name: 'money' }],
}
const suggest = (text: string) => {
  const caret = text.includes('|') ? text.indexOf('|') : text.length
  return suggestionsFor(text.replace('|', ''), caret, schema)
}

test('the SQL editor completes the word before the caret', () => {
  expect(wordBefore('SELECT t.em, 1', 11)).toEqual({ word: 't.em', start: 7 })
  expect(wordBefore('SELECT ', 7)).toEqual({ word: '', start: 7 })
})

test('columns of the tables in the query are suggested first', () => {
  expect(suggest('SELECT * FROM tra')).toEqual(['traders', 'transfers'])
  expect(suggest('SELECT st| FROM traders')).toEqual(['status'])
  expect(suggest('SELECT t.| FROM traders t')).toEqual(['t.id', 't.email', 't.status'])
  expect(suggest('SELECT t.s| FROM traders AS t JOIN transfers x ON 1')).toEqual(['t.status'])
  expect(suggest('SELECT mo')).toEqual(['money('])
  expect(suggest('SELECT x.a| FROM traders')).toEqual([])
  expect(suggest('S')).toEqual([])
  expect(suggest('SELECT')).toEqual([])
})
