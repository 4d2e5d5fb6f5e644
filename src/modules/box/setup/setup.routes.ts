import { Type } from '@sinclair/typebox'
import type { Directory } from '../../../platform/db/directory.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { constantTimeEqual } from '../../../platform/secrets.ts'
import { Email, Line, Password, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { changedSettings, completeSettings, FirmSettingsPatch } from '../../base/firm-settings/firm-settings.ts'
import { hashChosenPassword } from '../../firm/auth/auth.passwords.ts'
import { TenantOut } from '../../firm/tenants/tenants.model.ts'
import { foundTenant } from '../../firm/tenants/tenants.service.ts'
import { ProgressIn, ProgressOut } from './progress.model.ts'
import { readProgress, setProgress } from './progress.service.ts'

const SetupIn = nameSchema(
  'SetupIn',
  Strict({
    token: Type.String({ minLength: 1, maxLength: 200, description: 'the one-time token printed at start' }),
    tenantName: Line(100),
    email: Email,
    displayName: Line(100),
    password: Password,
    timeZone: FirmSettingsPatch.properties.timeZone,
    currency: FirmSettingsPatch.properties.currency,
  }),
)
const setupErrors = defineErrors('setup', () => ({
  closed: [409, say('auth.error.closed')],
  wrong_token: [403, say('auth.error.wrong_token')],
}))

/** Returns whether no firm exists yet. */
export const setupIsOpen = ({ directory }: { directory: Directory }): boolean => directory.isEmpty()

/** The setup of the first firm and its owner, who also administers the box. It is closed for ever afterwards. */
export const setupRoutes = (token: string) => {
  let running = false
  return declareRoutes('Setup')
    .get('/v1/setup', ({ ctx }) => ({ open: setupIsOpen(ctx) }), {
      access: 'public',
      ...op('setup.status', 'Whether first-run set-up is still open', {
        200: nameSchema('SetupStatus', Type.Object({ open: Type.Boolean() })),
      }),
    })
    .post(
      '/v1/setup',
      async ({ ctx, body }) => {
        const { timeZone, currency } = changedSettings(completeSettings('{}'), body)
        if (running || !setupIsOpen(ctx)) throw setupErrors.closed()
        if (!constantTimeEqual(body.token, token))
          throw setupErrors.wrong_token({
            errors: [{ path: 'token', code: 'wrong', message: say('auth.field.token_wrong') }],
          })
        running = true
        try {
          const names = { email: body.email, firm: body.tenantName }
          const owner = {
            email: body.email,
            displayName: body.displayName,
            passwordHash: await hashChosenPassword('password', body.password, names),
            roles: ['owner', 'platform_admin'] as ('owner' | 'platform_admin')[],
          }
          return await foundTenant(ctx.founding(), { name: body.tenantName, settings: { timeZone, currency }, owner })
        } finally {
          running = false
        }
      },
      {
        access: 'public',
        creates: true,
        body: SetupIn,
        ...op('setup.run', 'Found the first tenant and its owner', { 201: TenantOut }, [403, 409]),
      },
    )
    .get('/v1/setup/progress', ({ ctx }) => readProgress(ctx), {
      access: { scope: 'tenants:read', role: 'manager' },
      ...op('setup.progress', 'Which first steps the caller’s firm has done', { 200: ProgressOut }),
    })
    .put('/v1/setup/progress', ({ ctx, body, expect }) => setProgress(ctx, body, expect), {
      access: { scope: 'tenants:write', role: 'admin' },
      body: ProgressIn,
      ...op('setup.progress.set', 'Put the first steps away, or bring them back', { 200: ProgressOut }, [412]),
    })
}
