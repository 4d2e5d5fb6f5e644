/** The sentences about failures of the network, by the codes of Bun and Node, with what to check. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^(ConnectionRefused|ECONNREFUSED)$/, 'refuses the connection: does the server run there, and is the port right?'],
  [
    /^(DNSResolveFailed|ENOTFOUND|EAI_AGAIN)$/,
    'is a name that cannot be resolved: is it spelt right, does DNS answer?',
  ],
  [/^(Timeout|ConnectionTimeout|ETIMEDOUT)$/, 'does not answer in time: does a firewall drop what is sent there?'],
  [/^(EHOSTUNREACH|ENETUNREACH|NetworkUnreachable|HostUnreachable)$/, 'cannot be reached by any route from here'],
  [/^(ConnectionClosed|ECONNRESET|EPIPE)$/, 'closed the connection before it had answered'],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED/,
    'shows a certificate of an authority that is not trusted here: NODE_EXTRA_CA_CERTS names the file of that authority',
  ],
  [/CERT_HAS_EXPIRED/, 'shows a certificate that has ended: is the clock of this machine right?'],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'shows a certificate for another name'],
]

/**
 * Returns a failure of the network as a sentence about `where`. Bun's client of buckets reports all of these as “an
 * unexpected error has occurred” and distinguishes them only by a code. Other errors are returned unchanged.
 */
export function explained(where: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const { code } = error
  const sentence = SENTENCES.find(([codes]) => codes.test(code))?.[1]
  return sentence === undefined ? error : Object.assign(new Error(`${where} ${sentence}`, { cause: error }), { code })
}
