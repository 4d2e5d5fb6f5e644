import { hashPassword } from '../modules/firm/auth/auth.passwords.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import type { Clock } from '../platform/clock.ts'
import type { Answer, Caller, Firm, TestApp } from '../testing/app.ts'

export const PASSWORD = 'correct horse battery'

let passwordHash: Promise<string> | undefined

/** The application that is filled with rows: that of most tests, or a running server. */
export type World = Pick<TestApp, 'platform' | 'call'> & { clock: Clock }

/** What the makers of rows share: a firm, ways to send requests, and unique texts. */
export type Room = Awaited<ReturnType<typeof openRoom>>

/** Prepares a firm for the makers of rows; a request of theirs that the API refuses fails the test. */
export async function openRoom(app: World, firm: Firm) {
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  let serial = 0
  const next = (): number => {
    serial += 1
    return serial
  }
  const unique = (word = 'x'): string => `${word}${next()}-${firm.slug}`
  const email = (): string => `${unique('mail')}@${firm.slug}.test`
  const did = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    if (status >= 300) throw new Error(`the furniture of ${firm.slug} broke: ${status} ${text}`)
    return body
  }
  const post = (path: string, body?: object, as: Caller = firm.as.owner) =>
    did(app.call('POST', path, body === undefined ? { as } : { as, body }))
  const readId = async (answer: Promise<{ id: unknown }>): Promise<string> => String((await answer).id)
  return { app, firm, ctx, hash, next, unique, email, did, post, readId }
}
