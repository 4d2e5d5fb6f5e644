import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm } from '../../../testing/app.ts'
import { accountActs } from '../../firm/independence/independence.table.ts'

const app = createTestApp()
afterAll(() => app.close())
let firm: Firm
beforeAll(async () => {
  firm = await app.firm('settled')
})
const showWords = (as: Caller) => app.call('POST', '/v1/system/recovery-key/words', { as })
const download = (as: Caller) => app.call('GET', '/v1/system/backups/20260101-020000-nightly/download', { as })

test('the recovery key and copies need an account that is seven days old and its holder’s alone', async () => {
  const as = firm.as.platform_admin
  // the person who founded the firm is exempt
  expect((await showWords(as)).status).toBe(200)
  await app.platform.writer.submit(() =>
    app.platform.connection.run('UPDATE users SET created_at = ? WHERE id = ?', [app.clock.now() + 1, as.id]),
  )
  firm.effects()
  for (const ask of [showWords, download]) {
    const { status, body } = await ask(as)
    expect([status, body.code]).toEqual([403, 'too_new'])
  }
  expect(firm.effects().actions).toEqual([])
  app.clock.advance(7 * DAY)
  expect((await showWords(as)).body.code).toBe('too_new')
  app.clock.advance(1)
  expect((await showWords(as)).status).toBe(200)
  expect((await download(as)).status).toBe(404)
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.act', (tx) =>
    tx.insert(accountActs, { userId: as.id, byUserId: firm.as.owner.id, act: 'link' }),
  )
  expect((await showWords(as)).body.code).toBe('too_new')
})
