import { expect, test } from 'bun:test'
import { trader as sample } from '../../../testing/samples.ts'
import { buildUndo } from './bulk.api.ts'
import type { Trader } from './traders.api.ts'

const trader = (id: string, segments: string[], riskLevel: Trader['riskLevel'], assignedTo: string | null): Trader =>
  sample({ id, segments, riskLevel, assignedTo })

test('undoing a bulk edit restores each changed client, and touches no other', () => {
  const before = [
    trader('a', ['gold'], 'low', null),
    trader('b', [], 'low', null),
    trader('c', [], 'medium', 'u1'),
    trader('d', [], 'high', 'u2'),
  ]
  const undo = buildUndo(before, [
    { id: 'a', ok: true, changed: ['assignedTo', 'riskLevel'] },
    { id: 'b', ok: true, changed: ['segments'] },
    { id: 'c', ok: true, changed: ['segments', 'assignedTo', 'riskLevel'] },
    { id: 'd', ok: true, changed: [] },
    { id: 'e', ok: false, code: 'not_found' },
  ])
  const version = sample().version + 1
  const name = 'Ana Lima'
  expect(undo).toEqual([
    { id: 'a', name, back: { assignedTo: null, riskLevel: 'low' }, version },
    { id: 'b', name, back: { segments: [] }, version },
    { id: 'c', name, back: { segments: [], assignedTo: 'u1', riskLevel: 'medium' }, version },
  ])
})
