import { expect, test } from 'bun:test'
import { createTestApp } from '../../../testing/app.ts'
import type { Ctx } from '../../access/ctx.ts'
import { systemCtx } from '../../access/ctx.ts'
import { csvResponse, defuse } from './csv.ts'
import { getDownloads } from './downloads.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1+1', "'-1+1"],
  ['x;=HYPERLINK("http://a")', 'x;\'=HYPERLINK("http://a")'],
  ['x,+1', "x,'+1"],
  ['x\t@a', "x\t'@a"],
  ['x\r\n=a\n-b', "x\r\n'=a\n'-b"],
  ['x;"=a', 'x;"\'=a'],
  ['＝1', "'＝1"],
  ['x,-2+cmd', "x,'-2+cmd"],
  ['a;＋1;－2;＠x', "a;'＋1;'－2;'＠x"],
])('the cell %s is changed so that no program reads it as a formula', (text, safe) => expect(defuse(text)).toBe(safe))

test.each(['-12.50', '12', 'Ada; Lovelace', 'a-b, c', 'a = b', '{"a":[1,-5,-2.5],"b":-1}', ''])(
  'the cell %s is unchanged',
  (text) => expect(defuse(text)).toBe(text),
)

test('a CSV file breaks off when its reader loses the right to it, and counts as a download until then', async () => {
  const app = createTestApp()
  const firm = await app.firm('acme')
  let holds = true
  const ctx: Ctx = { ...systemCtx(app.platform, firm.tenantId, 'test'), stillHolds: () => holds }
  const rows = function* () {
    for (let n = 0; n < 1000; n += 1) yield [[n, 'x'.repeat(1000)]]
  }
  const reader = csvResponse(ctx, 'x.csv', ['n', 'text'], rows()).body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  expect(getDownloads(ctx).held()).toBeGreaterThan(0)
  holds = false
  const rest = async () => {
    for (let read = await reader?.read(); !read?.done; read = await reader?.read()) {}
  }
  await expect(rest()).rejects.toThrow('session')
  expect(getDownloads(ctx).held()).toBe(0)
  await app.close()
})

test('a CSV file says that it is UTF-8, so that Excel reads names in every script', async () => {
  const app = createTestApp()
  const firm = await app.firm('acme')
  const ctx: Ctx = systemCtx(app.platform, firm.tenantId, 'test')
  const bytes = await csvResponse(ctx, 'x.csv', ['name'], [[['Ελένη']]]).bytes()
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe('\ufeffname\nΕλένη\n')
  await app.close()
})
