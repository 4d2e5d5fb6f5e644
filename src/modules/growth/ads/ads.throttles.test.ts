import { afterAll, expect, test } from 'bun:test'
import { MINUTE } from '../../../platform/clock.ts'
import { adsDesk } from '../../../testing/ads-desk.ts'

const desk = await adsDesk()
const { app, firm, graph, connect, lead, read, notify, run, stored } = desk
afterAll(() => desk.close())

test.each([4, 17, 32, 341, 368, 613, 80_000, 80_001, 80_004, 80_005, 80_014])(
  'a connection waits after one call if the platform throttles with code %d',
  async (code) => {
    const { id, page, path } = await connect()
    await notify(Array.from({ length: 5 }, () => ({ page, lead: lead(page) })))
    const from = graph.calls.length
    graph.throttleNext(1, 30, code)
    await run()
    expect(graph.calls.length).toBe(from + 1)
    expect(Date.parse((await read(path)).waitsUntil) - app.clock.now()).toBe(30 * MINUTE)
    await run()
    expect(graph.calls.length).toBe(from + 1)
    app.clock.advance(31 * MINUTE)
    await run()
    expect(stored(id).map(({ status, attempts }) => [status, attempts])).toEqual(Array(5).fill(['done', 0]))
    firm.effects()
  },
)

test('a code next to those of throttles counts as a throttle only if the refusal says when to come back', async () => {
  const { page, path } = await connect()
  for (const [code, minutes, waits] of [
    [79_999, undefined, false],
    [80_100, undefined, false],
    [80_100, 9, true],
  ] as const) {
    await notify([{ page, lead: lead(page) }])
    graph.throttleNext(1, minutes, code)
    await run()
    expect((await read(path)).waitsUntil !== null && Date.parse((await read(path)).waitsUntil) > app.clock.now()).toBe(
      waits,
    )
  }
  app.clock.advance(10 * MINUTE)
  await run()
  firm.effects()
})
