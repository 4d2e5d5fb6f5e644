import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { defineErrors } from '../../platform/problem.ts'
import type { Vital } from '../../platform/readiness.ts'
import { named } from '../../platform/wire/named.ts'
import { say } from '../../words/say.ts'

const errors = defineErrors('system', {
  not_ready: [503, say('system.error.not_ready'), say('system.todo.not_ready')],
})

/** Whether the process lives, and whether it can take work: for supervisors and load balancers, under any host name. */
export const healthRoutes = (guard: Guard, { readiness }: { readiness: () => Promise<readonly Vital[]> }) =>
  new Elysia({ name: 'health', tags: ['System'] })
    .use(guard)
    .get('/health', () => ({ status: 'ok' as const }), {
      access: 'public',
      ...op('system.health', 'Whether the server lives', {
        200: named('Health', Type.Object({ status: Type.Literal('ok') })),
      }),
    })
    .get(
      '/ready',
      async () => {
        // what is wrong is named, its figures are for the operator alone
        const failing = (await readiness()).filter(({ ok }) => !ok).map(({ name }) => name)
        if (failing.length > 0)
          throw errors.not_ready({
            detail: say('system.error.not_ready_log_server', { failing: failing.join(', ') }),
            headers: { 'retry-after': '5' },
          })
        return { status: 'ready' as const }
      },
      {
        access: 'public',
        ...op(
          'system.ready',
          'Whether the server can take work: disk, log and writes',
          { 200: named('Readiness', Type.Object({ status: Type.Literal('ready') })) },
          [503],
        ),
      },
    )
