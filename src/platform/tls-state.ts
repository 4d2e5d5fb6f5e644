/** The TLS state of this server, for its operator. */
export type TlsState = {
  source: 'off' | 'files' | 'acme'
  /** The end of the certificate; null without one, or with a temporary one. */
  notAfter: number | null
  names: readonly string[]
  /** The reason why the last attempt to get a newer one failed; null if it did not. */
  lastError: string | null
  /** Whether the operator must act: the certificate ends soon or is temporary, and no newer one came. */
  endsSoon: boolean
}
export const NO_TLS: TlsState = { source: 'off', notAfter: null, names: [], lastError: null, endsSoon: false }
