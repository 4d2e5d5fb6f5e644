/** How this server is encrypted now, for whoever looks after it. */
export type TlsState = {
  source: 'off' | 'files' | 'acme'
  /** When the certificate ends; null where there is none, or none but the stand-in. */
  notAfter: number | null
  names: readonly string[]
  /** Why the last try to get a newer one failed; null where none did. */
  lastError: string | null
  /** Whether somebody has to see to it: the certificate ends soon, and no newer one came. */
  endsSoon: boolean
}
export const NO_TLS: TlsState = { source: 'off', notAfter: null, names: [], lastError: null, endsSoon: false }
