import { MINUTE } from '../clock.ts'
import { type SecretBox, sha256Hex } from '../secrets.ts'

const PURPOSE = 'peer'
const ANSWER = 'peer-answer'
/** A signature is valid for this long before and after its time; the clocks of boxes may differ by as much. */
const LASTS = MINUTE
const FORM = /^v1 (\d{13}) ([0-9a-f]{32}) ([\w-]{43})$/

/** A call between boxes, without the host, which differs by the way. */
type Call = { method: string; path: string; body: string }

const toText = ({ method, path, body }: Call, ms: string, nonce: string): string =>
  [method, path, ms, nonce, sha256Hex(body)].join('\n')

/** Returns the header `X-Crm-Box` of a call, which only boxes with the key of the installation can make. */
export function signCall(secrets: Pick<SecretBox, 'sign'>, call: Call, now: number): string {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  const ms = String(now)
  return `v1 ${ms} ${nonce} ${secrets.sign(PURPOSE, toText(call, ms, nonce))}`
}

/** An answer to such a call; `age` is its header `X-Crm-Age`, empty if it has none. */
type Answer = { status: number; age: string; body: Uint8Array }

const toAnswerText = (call: string, { status, age, body }: Answer): string =>
  [call, status, age, sha256Hex(body)].join('\n')

/** Returns the header `X-Crm-Box` of an answer to the call that had the header `call`, which is for that call alone. */
export const signAnswer = (secrets: Pick<SecretBox, 'sign'>, call: string, answer: Answer): string =>
  secrets.sign(ANSWER, toAnswerText(call, answer))

/** Returns whether a box with the key of the installation gave this answer to this call. */
export const isAnswer = (
  secrets: Pick<SecretBox, 'verify'>,
  call: string,
  answer: Answer,
  signature: string | undefined,
): boolean => signature !== undefined && secrets.verify(ANSWER, toAnswerText(call, answer), signature)

/** Makes the check of such headers. Each is believed once, so that whoever overheard one cannot use it again. */
export function createCallCheck(secrets: Pick<SecretBox, 'verify'>, now: () => number) {
  /** The nonces of the last minutes, each with the time until which it is refused. */
  const used = new Map<string, number>()
  return (header: string | null, call: Call): boolean => {
    const [, ms = '', nonce = '', signature = ''] = FORM.exec(header ?? '') ?? []
    if (ms === '' || Math.abs(now() - Number(ms)) > LASTS) return false
    if (!secrets.verify(PURPOSE, toText(call, ms, nonce), signature)) return false
    for (const [old, until] of used) if (until < now()) used.delete(old)
    if (used.has(nonce)) return false
    used.set(nonce, Number(ms) + 2 * LASTS)
    return true
  }
}
