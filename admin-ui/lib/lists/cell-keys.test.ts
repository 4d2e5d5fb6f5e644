import { expect, test } from 'bun:test'
import { cellAfter } from './cell-keys.ts'

const WIDTHS = [3, 2, 1]

test('arrows move between the cells of a table and stop at its edges', () => {
  const at = { row: 0, column: 2 }
  expect(cellAfter('ArrowLeft', at, WIDTHS)).toEqual({ row: 0, column: 1 })
  expect(cellAfter('ArrowRight', at, WIDTHS)).toEqual(at)
  expect(cellAfter('ArrowUp', at, WIDTHS)).toEqual(at)
  expect(cellAfter('Home', at, WIDTHS)).toEqual({ row: 0, column: 0 })
  expect(cellAfter('End', { row: 1, column: 0 }, WIDTHS)).toEqual({ row: 1, column: 1 })
})

test('the arrows enter a shorter row at its end, and other keys are ignored', () => {
  expect(cellAfter('ArrowDown', { row: 0, column: 2 }, WIDTHS)).toEqual({ row: 1, column: 1 })
  expect(cellAfter('ArrowDown', { row: 2, column: 0 }, WIDTHS)).toEqual({ row: 2, column: 0 })
  expect(cellAfter('Enter', { row: 0, column: 0 }, WIDTHS)).toBeNull()
})
