/**
 * Why a call of a terminal has no answer. `again`: it is tried after a pause, which doubles; `slowly`: once in five
 * minutes; `stop`: not before a person has looked.
 */
export const FAULTS = {
  not_resolved: 'again',
  blocked_address: 'stop',
  connect_timeout: 'again',
  connection_failed: 'again',
  certificate_untrusted: 'stop',
  certificate_changed: 'stop',
  wrong_proof: 'stop',
  /** HTTP 401 or 403, after a new sign-in too. */
  refused_session: 'again',
  /** The connection ended, or took too long, before the answer was whole. */
  lost: 'again',
  /** A page, an error of a proxy, half an answer, more than may be: no answer of a terminal. */
  not_an_answer: 'again',
  too_large: 'again',
  /** The terminal says that it is busy, is asked too often, or stops. */
  busy: 'again',
  /** The terminal says that the request is wrong, which is our mistake. */
  bad_request: 'stop',
  /** A right is missing for this one call; others go on. */
  no_right: 'again',
  wrong_account: 'slowly',
  wrong_account_type: 'slowly',
  account_disabled: 'stop',
  version_too_old: 'stop',
  no_manager: 'stop',
  address_not_allowed: 'stop',
  password_must_change: 'stop',
  one_time_password: 'stop',
  connection_not_allowed: 'stop',
  api_disabled: 'stop',
  /** The clock of the terminal is none that could be. */
  clock: 'again',
  /** It answered with a code that nobody expected here. */
  unexpected_code: 'again',
} as const satisfies Record<string, 'again' | 'slowly' | 'stop'>
export type FaultCode = keyof typeof FAULTS

/**
 * A call that has no answer. `detail` has facts for a person (a code, both fingerprints), and never a password or what
 * was sent. `wasSent`: a byte of the request may have left the machine.
 */
export class TerminalFault extends Error {
  override name = 'TerminalFault'
  constructor(
    readonly code: FaultCode,
    readonly detail: Readonly<Record<string, string>> = {},
    readonly wasSent = false,
  ) {
    super(code)
  }
}
