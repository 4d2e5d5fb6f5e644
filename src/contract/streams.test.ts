import { afterAll, expect, test } from 'bun:test'
import { STREAM_PATH } from '../platform/http/front/probes.ts'
import { createTestApp } from '../testing/app.ts'

const app = createTestApp()
afterAll(() => app.close())

test('a standby knows the path of each answer without an end, which it refuses', () => {
  const streams = app.routes.filter(({ hooks }) => JSON.stringify(hooks.detail ?? {}).includes('text/event-stream'))
  expect(streams.map(({ path }) => path)).toEqual([STREAM_PATH])
})
