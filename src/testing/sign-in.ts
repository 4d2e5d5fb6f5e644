import { Secret, TOTP } from 'otpauth'
import { openMail } from '../modules/base/mails/mails.service.ts'
import { mails } from '../modules/base/mails/mails.table.ts'
import { hashPassword } from '../modules/firm/auth/auth.passwords.ts'
import { setPassword } from '../modules/firm/auth/auth.service.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { MINUTE } from '../platform/clock.ts'
import type { Answer, Caller, Firm, TestApp } from './app.ts'

export const PASSWORD = 'correct horse battery'
/** The address that the staff of a test share; the application must trust 127.0.0.1 as a proxy. */
export const OFFICE = '198.51.100.7'
export const BEHIND_PROXY = { trustedProxies: ['127.0.0.0/8'], sessionHours: 12 }

type From = { ip?: string; device?: string | undefined }

/** Signs in by password from an address, with the device cookie if one is given. */
export const login = (app: TestApp, email: string, body: object = {}, { ip = OFFICE, device }: From = {}) =>
  app.call('POST', '/v1/auth/login', {
    body: { email, password: PASSWORD, ...body },
    headers: { 'x-forwarded-for': ip, ...(device === undefined ? {} : { cookie: device }) },
  })

/** Returns a cookie that an answer sets, as a browser sends it back. */
export const pickCookie = (answer: Answer, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0]

/** Returns the browser that has just signed in. */
export const toCaller = (answer: Answer): Caller => ({
  id: '',
  headers: {
    cookie: [pickCookie(answer, 'crm_session'), pickCookie(answer, 'crm_device')].join('; '),
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': OFFICE,
  },
})

/** Returns the same browser with the cookies of a later answer, since a renewed session uses another cookie. */
export const renewedBy = (as: Caller, answer: Answer): Caller => {
  const kept = (as.headers.cookie ?? '')
    .split('; ')
    .filter((one) => pickCookie(answer, one.split('=')[0] ?? '') === undefined)
  const set = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  return { ...as, headers: { ...as.headers, cookie: [...set, ...kept].join('; ') } }
}

/** Returns the texts of the mails to an address, the oldest first. */
export const lettersTo = (app: TestApp, to: string, of: Firm): string[] =>
  systemCtx(app.platform, of.tenantId, 'test')
    .db.list(mails, { recipient: to }, { orderBy: 'id' })
    .map((row) => openMail(app.platform.secrets.forFirm(of.tenantId), row))

/** Returns the code that the authenticator shows now. */
export const generateCode = (app: TestApp, secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })

let count = 0
/** Makes a new active viewer with a password, so that no test has to wait because of another's failed sign-ins. */
export async function person(app: TestApp, of: Firm, values: { email?: string; password?: string } = {}) {
  count += 1
  const { email = `p${count}@signin.test`, password = PASSWORD } = values
  const passwordHash = await hashPassword(password)
  const { id } = await systemCtx(app.platform, of.tenantId, 'test').write('test.user', (tx) => {
    const user = tx.insert(users, { email, displayName: 'Person', roles: ['viewer'], status: 'active' })
    setPassword(tx, { userId: user.id }, passwordHash)
    return user
  })
  of.effects()
  return { id, email }
}

/** Makes a person with an authenticator, signed in on a device. */
export async function enrolled(app: TestApp, of: Firm) {
  const { id, email } = await person(app, of)
  const first = await login(app, email)
  const as = toCaller(first)
  const { secret } = (await app.call('POST', '/v1/auth/2fa/setup', { as })).body
  const body = { code: generateCode(app, secret), password: PASSWORD }
  const enabled = await app.call('POST', '/v1/auth/2fa/enable', { as, body })
  const { recoveryCodes } = enabled.body
  app.clock.advance(MINUTE)
  return { id, email, as: renewedBy(as, enabled), secret, recoveryCodes, device: pickCookie(first, 'crm_device') }
}
