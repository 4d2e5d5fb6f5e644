import { type Static, Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { defineErrors } from '../../../platform/problem.ts'
import type { Vital } from '../../../platform/readiness.ts'
import type { Roles } from '../../../platform/role.ts'
import type { Sight } from '../../../platform/standby/sight.ts'
import { Nullable, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'

const errors = defineErrors('system', () => ({
  not_ready: [503, say('system.error.not_ready'), say('system.todo.not_ready')],
}))

/** Throws if this server cannot take work: it is not primary, or one of its parts fails. */
async function demandReady({ readiness, roles }: HealthParts): Promise<void> {
  roles.demandPrimary()
  // the answer names the failing parts; only the operator sees their figures
  const failing = (await readiness()).filter(({ ok }) => !ok).map(({ name }) => name)
  if (failing.length > 0)
    throw errors.not_ready({
      detail: say('system.error.not_ready_because', { failing: failing.join(', ') }),
      headers: { 'retry-after': '5' },
    })
}

type HealthParts = { readiness: () => Promise<readonly Vital[]>; roles: Roles; standby: Sight | null }
const ROLE = nameSchema(
  'ServerRole',
  Type.Object({
    role: OneOf(['primary', 'standby']),
    ageSeconds: Nullable(Type.Integer({ description: 'how old its data is; null where it is the one that writes it' })),
  }),
)
/** Returns the role of this server; throws if it is not the one that writes. */
function asPrimary({ roles }: HealthParts): Static<typeof ROLE> {
  roles.demandPrimary()
  return { role: 'primary', ageSeconds: null }
}

/** Returns the role of a server that may be read; throws if it may not. */
function asReadable(parts: HealthParts): Static<typeof ROLE> {
  const { standby } = parts
  if (!standby) return asPrimary(parts)
  standby.demandReadable()
  return { role: 'standby', ageSeconds: standby.ageSeconds() }
}

/** Liveness and readiness for supervisors and load balancers, under any host name. */
export const healthRoutes = (parts: HealthParts) =>
  declareRoutes('System')
    .get('/health', () => ({ status: 'ok' as const }), {
      access: 'public',
      ...op('system.health', 'Whether the server lives', {
        200: nameSchema('Health', Type.Object({ status: Type.Literal('ok') })),
      }),
    })
    .get('/ready', () => demandReady(parts).then(() => ({ status: 'ready' as const })), {
      access: 'public',
      ...op(
        'system.ready',
        'Whether the server can take work: it is the one that writes, and disk, log and writes are well',
        { 200: nameSchema('Readiness', Type.Object({ status: Type.Literal('ready') })) },
        [503],
      ),
    })
    .get('/ready/primary', () => demandReady(parts).then(() => asPrimary(parts)), {
      access: 'public',
      ...op(
        'system.readyPrimary',
        'Whether the server is the one that writes, for who sends it changes',
        { 200: ROLE },
        [503],
      ),
    })
    .get('/ready/read', () => asReadable(parts), {
      access: 'public',
      ...op('system.readyRead', 'Whether the server may be read from', { 200: ROLE }, [503]),
    })
