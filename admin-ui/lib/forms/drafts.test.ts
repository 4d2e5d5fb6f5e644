import { expect, test } from 'bun:test'
import { draftKey, dropDraft, holdDraft, keepDraft, readDraft } from './drafts.ts'

const shelf = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
    size: () => kept.size,
  }
}

test('a draft is kept for its record and its writer, and forgotten when it is emptied', () => {
  const at = shelf()
  const key = draftKey('usr_1', 'ticket:tkt_1')
  keepDraft(key, 'Dear Anna', at)
  expect(readDraft(key, at)).toBe('Dear Anna')
  expect(readDraft(draftKey('usr_2', 'ticket:tkt_1'), at)).toBe('')
  expect(readDraft(draftKey('usr_1', 'ticket:tkt_2'), at)).toBe('')
  keepDraft(key, '  ', at)
  expect([readDraft(key, at), at.size()]).toEqual(['', 0])
})

test('a full storage loses only the draft', () => {
  const full = {
    ...shelf(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(() => keepDraft('key', 'text', full)).not.toThrow()
})

test('a sent text is removed from storage and from its field, and other text stays', () => {
  const at = shelf()
  const told: string[] = []
  const withdraw = holdDraft('key', (sent) => told.push(sent))
  keepDraft('key', 'sent', at)
  dropDraft('key', 'sent', at)
  expect(readDraft('key', at)).toBe('')
  keepDraft('key', 'typed on', at)
  dropDraft('key', 'sent', at)
  dropDraft('another key', 'sent', at)
  expect(readDraft('key', at)).toBe('typed on')
  withdraw()
  dropDraft('key', 'sent', at)
  expect(told).toEqual(['sent', 'sent'])
})
