import type { Config } from '../config.ts'
import { setupIsOpen } from '../modules/box/setup/setup.routes.ts'
import { hashPassword } from '../modules/firm/auth/auth.passwords.ts'
import { findWeakness } from '../modules/firm/auth/common-passwords.ts'
import { foundTenant } from '../modules/firm/tenants/tenants.service.ts'
import { foundingCtx } from '../platform/access/ctx.ts'
import { foldEmail } from '../platform/wire/formats.ts'
import { withPlatform } from './with-platform.ts'

const MIN_PASSWORD = 10

/** Creates a tenant with its owner, who administers the box if it is the first; the password is on standard input. */
export async function setup(
  config: Config,
  input: { tenant: string; email: string; password: string },
): Promise<string> {
  if (input.password.length < MIN_PASSWORD)
    throw new Error(`The password must have at least ${MIN_PASSWORD} characters.`)
  if (!/^[^\s@]+@[^\s@]+$/.test(input.email)) throw new Error(`--email: “${input.email}” is not an e-mail address.`)
  if (findWeakness(input.password, { email: input.email, firm: input.tenant }))
    throw new Error('The password is one of those that are guessed first; choose another.')
  const passwordHash = await hashPassword(input.password)
  return withPlatform(
    config,
    async (platform) => {
      const first = setupIsOpen(platform)
      const email = foldEmail(input.email)
      const tenant = await foundTenant(foundingCtx(platform), {
        name: input.tenant,
        owner: {
          email,
          displayName: email.split('@')[0] ?? email,
          passwordHash,
          roles: first ? ['owner', 'platform_admin'] : ['owner'],
        },
      })
      const keep = first
        ? 'Now keep its recovery key (brokerbase recovery-key): no backup can be read without it.\n'
        : ''
      return `${tenant.name} (${tenant.slug}) is set up; sign in as ${email}.\n${keep}`
    },
    { mayFound: true },
  )
}
