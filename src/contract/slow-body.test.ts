import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'

let app: TestApp
let firm: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

/** Sends a POST in two parts, and runs `between` while the server waits for the second. */
async function inTwoParts(
  path: string,
  headers: Record<string, string>,
  body: object,
  between: () => Promise<unknown>,
) {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const asked = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>({
    start: (to) => to.enqueue(bytes.slice(0, 5)),
    pull: async (to) => {
      asked.resolve()
      await done.promise
      to.enqueue(bytes.slice(5))
      to.close()
    },
  })
  const done = Promise.withResolvers<void>()
  const answer = app.send(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
      body: stream,
    }),
  )
  await asked.promise
  await between()
  done.resolve()
  return answer
}

const body = { email: 'slow@alpha.test', firstName: 'Slow' }
const traders = () => app.platform.reader.get<{ n: number }>('SELECT count(*) AS n FROM traders')?.n

test('a request whose key is revoked while its body arrives does nothing', async () => {
  const key = await firm.key(['traders:write'])
  const answer = await inTwoParts('/v1/traders', key.headers, body, () =>
    app.call('DELETE', `/v1/api-keys/${key.id}`, { as: firm.as.owner }),
  )
  expect([answer.status, traders()]).toEqual([401, 0])
})

test('a request whose session ended or whose role was lowered while its body arrives does nothing', async () => {
  const out = await inTwoParts('/v1/traders', firm.as.operator.headers, body, () =>
    app.call('POST', '/v1/auth/logout', { as: firm.as.operator }),
  )
  expect([out.status, traders()]).toEqual([401, 0])
  const { manager } = firm.as
  const lowered = await inTwoParts('/v1/traders', manager.headers, body, () =>
    app.call('PATCH', `/v1/users/${manager.id}/roles`, { as: firm.as.owner, body: { roles: ['viewer'] } }),
  )
  expect([lowered.status, traders()]).toEqual([403, 0])
})

test('a request whose caller kept access while its body arrived is done', async () => {
  const answer = await inTwoParts('/v1/traders', firm.as.admin.headers, body, async () => {})
  expect([answer.status, traders()]).toEqual([201, 1])
})
