import ipaddr from 'ipaddr.js'

const isFourParts = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text)

/** Returns whether a text is an address in modern form. `010.1.1.1` and `1` are not: programs read them differently. */
export const isAddress = (text: string): boolean =>
  isFourParts(text) ||
  (ipaddr.IPv6.isValid(text) && (!text.includes('.') || isFourParts(text.slice(text.lastIndexOf(':') + 1))))

/** Returns a function that says whether an address is in one of the networks; an empty list allows all. */
export function createNetworkTest(networks: readonly string[]): (ip: string | null) => boolean {
  if (networks.length === 0) return () => true
  const ranges = networks.map((network) => ipaddr.parseCIDR(network))
  return (ip) => {
    if (ip === null || !isAddress(ip)) return false
    const address = ipaddr.process(ip)
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  }
}

/** Returns whether an address is in one of the networks; an empty list allows all. */
export const inNetworks = (ip: string | null, networks: readonly string[]): boolean => createNetworkTest(networks)(ip)

const MOST_KNOWN = 1000
const known = new Map<string, string>()

/**
 * Returns the network of one client, for counting: its IPv4 address, or its own IPv6 /64. The last thousand results are
 * cached, since each request asks several times and few addresses send nearly all requests.
 */
export function toNetwork(ip: string | null): string {
  if (ip === null) return 'unknown'
  const found = known.get(ip)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const network = toPrefix(ip, 4)
  known.set(ip, network)
  return network
}

/**
 * Returns the site of a client, like `toNetwork`, but with the /48 that a hosting customer gets, which has 65,536
 * networks.
 */
export const toSite = (ip: string | null): string => (ip === null ? 'unknown' : toPrefix(ip, 3))

/** Returns an IPv4 address, or the first parts of sixteen bits of an IPv6 one. */
function toPrefix(ip: string, parts: number): string {
  if (!isAddress(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  // an IPv6 address is written out first: the first four parts of `2001:db8::1` would not be its network
  return address.kind() === 'ipv4'
    ? address.toString()
    : `${address.toNormalizedString().split(':').slice(0, parts).join(':')}::/${parts * 16}`
}
