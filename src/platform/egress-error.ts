export type EgressErrorCode =
  | 'blocked_address'
  | 'bad_url'
  | 'dns_failed'
  | 'connect_timeout'
  | 'timeout'
  | 'connection_failed'
  | 'tls_failed'

/** Why an outgoing call got no answer. `message` may be shown to the person who entered the URL. */
export class EgressError extends Error {
  readonly code: EgressErrorCode
  constructor(code: EgressErrorCode, message: string) {
    super(message)
    this.name = 'EgressError'
    this.code = code
  }
}
