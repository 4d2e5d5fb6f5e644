import { expect, test } from 'bun:test'
import { calculateWindow } from './list-window.ts'

test('a screenful and some rows beyond it are drawn, however long the list is', () => {
  for (const count of [0, 1, 50, 100_000]) {
    for (const top of [-500, 0, 36 * 7, 36 * 5_000, 36 * 99_999, 36 * 200_000]) {
      const { first, last } = calculateWindow({ count, rowHeight: 36, top, height: 720 })
      expect(first).toBeGreaterThanOrEqual(0)
      expect(last).toBeLessThanOrEqual(count)
      expect(last - first).toBeLessThanOrEqual(60)
      expect(last).toBeGreaterThanOrEqual(first)
      // every row that can be seen is among them
      const seen = [Math.floor(top / 36), Math.floor((top + 719) / 36)].filter((row) => row >= 0 && row < count)
      for (const row of seen) expect([first <= row, row < last]).toEqual([true, true])
    }
  }
})
