import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

test('the list of clients is sorted by family name, page by page; a client without a name is sorted by address', async () => {
  const names: readonly object[] = [
    { firstName: 'Bo', lastName: 'young' },
    { firstName: 'Cy', lastName: 'Adams' },
    { firstName: 'Al', lastName: 'Young' },
    { firstName: 'mia' },
    { email: 'lone@x.test' },
  ]
  for (const [at, name] of names.entries()) {
    const body = { email: `t${at}@x.test`, tags: ['sorted'], ...name }
    expect((await app.call('POST', '/v1/traders', { as: firm.as.operator, body })).status).toBe(201)
  }
  const read = async (query: string): Promise<string[]> => {
    const { body } = await app.call('GET', `/v1/traders?tag=sorted&${query}`, { as: firm.as.viewer })
    const shown = body.data.map(
      ({ firstName, email }: { firstName: string | null; email: string }) => firstName ?? email,
    )
    return body.nextCursor
      ? [...shown, ...(await read(`${query.split('&cursor')[0]}&cursor=${body.nextCursor}`))]
      : shown
  }
  const inOrder = ['Cy', 'lone@x.test', 'mia', 'Al', 'Bo']
  expect(await read('limit=2&sort=name')).toEqual(inOrder)
  expect(await read('limit=2&sort=-name')).toEqual(inOrder.toReversed())
})

test('the list of clients is sorted by risk, from low to high and back, page by page', async () => {
  for (const [at, riskLevel] of ['high', 'low', 'medium', 'low'].entries()) {
    const body = { email: `r${at}@x.test`, riskLevel, tags: ['ranked'] }
    expect((await app.call('POST', '/v1/traders', { as: firm.as.operator, body })).status).toBe(201)
  }
  const read = async (query: string): Promise<string[]> => {
    const { body } = await app.call('GET', `/v1/traders?tag=ranked&limit=1&${query}`, { as: firm.as.viewer })
    const shown = body.data.map(({ riskLevel }: { riskLevel: string }) => riskLevel)
    const [asked] = query.split('&')
    return body.nextCursor ? [...shown, ...(await read(`${asked}&cursor=${body.nextCursor}`))] : shown
  }
  expect(await read('sort=risk')).toEqual(['low', 'low', 'medium', 'high'])
  expect(await read('sort=-risk')).toEqual(['high', 'medium', 'low', 'low'])
})
