import { expect, test } from 'bun:test'
import { openNote, sealNote } from './note-seal.ts'

const KEY = new Uint8Array(32).fill(7)
const said = { id: 'a', list: [1, { z: null, a: 'ä' }] }
const toBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const sealed = (): { value: unknown; mac: string } =>
  JSON.parse(new TextDecoder().decode(sealNote(KEY, 'one.json', said)))

test('a sealed note is opened in any order of its fields and with any white space', () => {
  for (const value of [said, [], 17, 'text', null])
    expect(openNote(KEY, 'one.json', sealNote(KEY, 'one.json', value))).toEqual({ value, isSealed: true })
  const { mac } = sealed()
  const turned = { mac, value: { list: [1, { a: 'ä', z: null }], id: 'a' } }
  expect(openNote(KEY, 'one.json', toBytes(turned))).toEqual({ value: said, isSealed: true })
})

test('a note that was changed, moved to another name, or written by another installation is refused', () => {
  const { mac } = sealed()
  const changed = [
    { value: { ...said, id: 'b' }, mac },
    { value: { ...said, more: 1 }, mac },
    { value: { ...said, list: [{ z: null, a: 'ä' }, 1] }, mac },
    { value: said, mac: `${mac}x` },
    { value: said, mac: '' },
  ]
  for (const note of changed) expect(() => openNote(KEY, 'one.json', toBytes(note))).toThrow('was changed since')
  const whole = sealNote(KEY, 'one.json', said)
  expect(() => openNote(KEY, 'two.json', whole)).toThrow('The note two.json')
  expect(() => openNote(new Uint8Array(32).fill(8), 'one.json', whole)).toThrow('not written with the key')
})

test('a note of an older version is opened as one that is not sealed', () => {
  for (const value of [said, [said], 3, { value: said }, { value: said, mac: 'a', more: 1 }])
    expect(openNote(KEY, 'one.json', toBytes(value))).toEqual({ value, isSealed: false })
  expect(() => openNote(KEY, 'one.json', new TextEncoder().encode('{'))).toThrow()
})
